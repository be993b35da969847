// One line of the benchmark's output.

export interface BenchLine {
  readonly name: string;
  readonly figure: string;
}
