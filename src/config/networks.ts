/** Networks as they are written in settings. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * A network as `10.0.0.0/8`, or a single address. Undefined when it is neither: an octal `010.0.0.1` or a
 * short `10.1` means different things to different readers, so it means nothing here.
 */
export function parseNetwork(text: string): Network | undefined {
  const [written = '', ...bits] = text.split('/');
  if (!isPlainAddress(written)) return undefined;
  if (bits.length > 0) return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** As the system's own DNS answers: four decimal numbers, or IPv6 without a zone, which names an interface. */
export const isPlainAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');
