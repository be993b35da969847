// A binary heap of events on (time, sequence): earliest first, ties in the order of scheduling. Every
// event knows its place, so that a cancelled one leaves at once in O(log n); one that stayed until its
// time came would make long timers dearer than short ones.

/** What can lie in a heap. An event lies in one heap, once; after that it may be pushed again. */
export class HeapEvent {
  /** Its place in the heap, −1 outside. For the heap alone to write. */
  place = -1;
  /** Orders equal times. For the heap alone to write. */
  sequence = 0;
}

export class EventHeap<Event extends HeapEvent> {
  // Times lie apart from the events, by place: sifting then compares plain doubles side by side. Both
  // arrays only grow; places from #count on are empty.
  #times = new Float64Array(64);
  readonly #events: (Event | undefined)[] = [];
  #count = 0;
  #sequence = 0;

  get size(): number {
    return this.#count;
  }

  /** The earliest time; +∞ where nothing is pending. */
  get earliest(): number {
    return this.#count === 0 ? Number.POSITIVE_INFINITY : this.#times[0]!;
  }

  /** @param time any number but NaN @param event one that is not pending */
  push(time: number, event: Event): void {
    const place = this.#count++;
    if (place === this.#times.length) this.#grow();
    event.sequence = this.#sequence++;
    this.#siftUp(place, time, event);
  }

  /** Takes out the earliest event. Its time was `earliest`. */
  pop(): Event | undefined {
    if (this.#count === 0) return undefined;
    const first = this.#events[0]!;
    this.#takeOut(first);
    return first;
  }

  /** @returns false where the event is not pending */
  remove(event: Event): boolean {
    if (event.place < 0) return false;
    this.#takeOut(event);
    return true;
  }

  /** Fills the gap with the last event, which may belong further up or further down. */
  #takeOut(event: Event): void {
    const place = event.place;
    event.place = -1;
    const end = --this.#count;
    const last = this.#events[end]!;
    this.#events[end] = undefined;
    if (last === event) return;
    const time = this.#times[end]!;
    if (place > 0 && this.#isBefore(time, last, (place - 1) >> 1)) this.#siftUp(place, time, last);
    else this.#siftDown(place, time, last);
  }

  #siftUp(from: number, time: number, event: Event): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(time, event, parent)) break;
      this.#put(place, this.#times[parent]!, this.#events[parent]!);
      place = parent;
    }
    this.#put(place, time, event);
  }

  #siftDown(from: number, time: number, event: Event): void {
    const count = this.#count;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= count) break;
      const sibling = child + 1;
      if (sibling < count && this.#isBefore(this.#times[sibling]!, this.#events[sibling]!, child)) {
        child = sibling;
      }
      if (this.#isBefore(time, event, child)) break;
      this.#put(place, this.#times[child]!, this.#events[child]!);
      place = child;
    }
    this.#put(place, time, event);
  }

  #isBefore(time: number, event: Event, place: number): boolean {
    const other = this.#times[place]!;
    return time < other || (time === other && event.sequence < this.#events[place]!.sequence);
  }

  #put(place: number, time: number, event: Event): void {
    this.#times[place] = time;
    this.#events[place] = event;
    event.place = place;
  }

  #grow(): void {
    const wider = new Float64Array(this.#times.length * 2);
    wider.set(this.#times);
    this.#times = wider;
  }
}
