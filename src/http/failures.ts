/**
 * Calls that showed no valid key, by who sent them, for an hour from the first. Each process counts for itself
 * and in memory: a flood of bad keys writes nothing, and whoever runs SQL as hb_api can make none up.
 */
import ipaddr from 'ipaddr.js';

const hourMs = 3_600_000;
/** Beyond so many senders the oldest is forgotten. */
const sendersMax = 10_000;

interface Window {
  readonly openedAt: number;
  used: number;
}

export interface Failures {
  /** So many in the hour, this one included. */
  readonly used: number;
  readonly secondsLeft: number;
}

export class FailureCounts {
  /** In the order they were opened. */
  readonly #windows = new Map<string, Window>();

  /** Counts one of `address` at the moment `now` (ms). */
  count(address: string, now: number): Failures {
    const sender = senderOf(address);
    let window = this.#windows.get(sender);
    if (!window || now - window.openedAt >= hourMs) {
      this.#windows.delete(sender);
      window = { openedAt: now, used: 0 };
      this.#windows.set(sender, window);
      const [oldest] = this.#windows.keys();
      if (this.#windows.size > sendersMax && oldest !== undefined) this.#windows.delete(oldest);
    }
    window.used += 1;
    const secondsLeft = Math.max(1, Math.ceil((window.openedAt + hourMs - now) / 1_000));
    return { used: window.used, secondsLeft };
  }
}

/** An IPv6 sender has a whole /64 to itself; an IPv4 one may be written as IPv6. */
function senderOf(address: string): string {
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()
    : parsed.toString();
}
