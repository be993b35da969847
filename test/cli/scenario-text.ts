// A scenario file for the command line's tests: two classes of constants and a pool that is too small, so
// that everything a summary can show is there, and all of it can be worked out by hand.

export const SCENARIO = `name: two-classes
seed: fixed
nights: 2
window: { lasts: 10 min }
budget: { reserve: 30 s, floor: 3 s, cap: 60 s, attempts: 2 }
lanes: 2
pool: { name: free, tokens: 100k }
jobs:
  - class: short
    count: 20
    input: 900
    output: 100
    envelope: { tokens: 2000 }
  - class: long
    count: 10
    input: 9000
    output: 1000
    envelope: { tokens: 20000 }
provider: { latency: { firstToken: 1 s, perToken: 10 ms } }
store: { write: 100 ms }
compare:
  - { name: naive, set: { policy.timeouts: fixed, policy.admission: shared-counter } }
`;
