/**
 * Where webhooks may be sent. Whoever sets up an endpoint must not be able to make the installation call
 * itself or its neighbours (server-side request forgery), so names are looked up by us, judged, and the
 * very address that was judged is connected to.
 */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPlainAddress, type Network } from '../../config/networks.ts';
import type { Reasoned } from '../../lib/errors.ts';

/**
 * What is public of IPv6 lies in 2000::/3. All else is refused, so IPv4 in any wrapping is too: compatible
 * (`::127.0.0.1`), translated, NAT64 and what nobody has thought of yet (RFC 4291, RFC 6890).
 */
const globalUnicast: Network = ipaddr.parseCIDR('2000::/3');
/** Within it, what carries another address inside, and so would reach wherever that one points. */
const carriers: readonly Network[] = ['2001::/23', '2002::/16', '3fff::/20'].map((text) =>
  ipaddr.parseCIDR(text),
);

const lies = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean =>
  address instanceof ipaddr.IPv4
    ? network instanceof ipaddr.IPv4 && address.match(network, bits)
    : network instanceof ipaddr.IPv6 && address.match(network, bits);

const isInside = (address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean =>
  networks.some((network) => lies(address, network));

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return (
    address.kind() === 'ipv4' || (lies(address, globalUnicast) && !isInside(address, carriers))
  );
}

/** Whether an address is public, or in one of the networks that the operator has allowed. */
export function isAllowed(text: string, allowed: readonly Network[]): boolean {
  if (!isPlainAddress(text)) return false;
  const address = ipaddr.process(text);
  return isPublic(address) || isInside(address, allowed);
}

/** In the clear only inside the networks that the operator has vouched for. */
function isAllowedInClear(text: string, allowed: readonly Network[]): boolean {
  return isPlainAddress(text) && isInside(ipaddr.process(text), allowed);
}

export type Protocol = 'https:' | 'http:';

/** How names are looked up: the system's way, but for tests. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * DNS for connections: answers only addresses that may be called, and the connection goes to one of those
 * answers and to nothing that a second question would bring (DNS rebinding). Of a name with several
 * addresses each is judged: where NAT64 adds one that leads inside, the public one remains.
 */
export function guardedLookup(
  protocol: Protocol,
  allowed: readonly Network[],
  resolve: Resolve = systemLookup,
): LookupFunction {
  const mayCall = protocol === 'https:' ? isAllowed : isAllowedInClear;
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 4);
      const usable = addresses.filter(({ address }) => mayCall(address, allowed));
      const [first] = usable;
      if (!first) {
        return callback(new Error(`${hostname} pekar på en adress som inte får anropas.`), '', 4);
      }
      return options.all ? callback(null, usable) : callback(null, first.address, first.family);
    });
  };
}

/** What is wrong with an endpoint's address as it is written; undefined when nothing is. */
export function urlProblem(text: string, allowed: readonly Network[]): Reasoned | undefined {
  if (!URL.canParse(text) || text.length > 2_000) {
    return { reason: 'url_incomplete' };
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return { reason: 'url_with_password' };
  if (url.hash !== '') return { reason: 'url_with_fragment' };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'http:' && allowed.length > 0) {
    const mayBe = isIP(host) ? isAllowedInClear(host, allowed) : true;
    return mayBe ? undefined : { reason: 'url_not_https' };
  }
  if (url.protocol !== 'https:') return { reason: 'url_not_https' };
  const isRefused = isIP(host) ? !isAllowed(host, allowed) : isOwnName(host, allowed);
  return isRefused ? { reason: 'url_not_public', params: { host } } : undefined;
}

/** `localhost` and names below it are this machine to every system (RFC 6761); others are judged when looked up. */
function isOwnName(host: string, allowed: readonly Network[]): boolean {
  const labels = host.split('.').filter(Boolean);
  const isLoopbackAllowed = isAllowed('127.0.0.1', allowed) || isAllowed('::1', allowed);
  return labels.at(-1) === 'localhost' && !isLoopbackAllowed;
}
