/** What a user would have suffered: each with what the machines last said, and told once. */
import type { Host } from './host.ts';

export interface Violation {
  readonly at: string;
  readonly sentence: string;
  readonly count: number;
  readonly tail: readonly string[];
}

const tail_lines = 15;
/** Many alike tell no more than a few. */
const kept_max = 40;

export class Violations {
  #hosts: readonly Host[] = [];
  readonly #kept = new Map<string, Violation>();
  readonly #note: (line: string) => void;

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  listenTo(hosts: readonly Host[]): void {
    this.#hosts = hosts;
  }

  add(sentence: string): void {
    // Numbers and ids aside, the same sentence is the same fault.
    const kind = sentence.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+/g, '#');
    const known = this.#kept.get(kind);
    if (known) {
      this.#kept.set(kind, { ...known, count: known.count + 1 });
      return;
    }
    this.#note(`VIOLATION: ${sentence}`);
    if (this.#kept.size >= kept_max) return;
    const tail = this.#hosts.flatMap(({ name, tail }) =>
      tail.slice(-tail_lines).map((line) => `${name} | ${line.slice(0, 600)}`),
    );
    this.#kept.set(kind, { at: new Date().toISOString(), sentence, count: 1, tail });
  }

  get all(): readonly Violation[] {
    return [...this.#kept.values()];
  }
}
