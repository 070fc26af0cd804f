/**
 * Where webhooks may be sent. Whoever sets up an endpoint must not be able to make the installation call
 * itself or its neighbours (server-side request forgery), so names are looked up by us, judged, and the
 * very address that was judged is connected to.
 */
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** A network as `10.0.0.0/8`, or a single address. Undefined when it is neither. */
export function parseNetwork(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

const ipv6Tunnels: readonly Network[] = [
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/32',
].map((text) => ipaddr.parseCIDR(text));

const lies = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match([network, bits] as never);

const isInside = (address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean =>
  networks.some((network) => lies(address, network));

/** Whether an address is public, or in one of the networks that the operator has allowed. */
export function isAllowed(text: string, allowed: readonly Network[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  // Addresses that carry another inside would reach wherever that one points.
  const isPublic = address.range() === 'unicast' && !isInside(address, ipv6Tunnels);
  return isPublic || isInside(address, allowed);
}

/** In the clear only inside the networks that the operator has vouched for. */
function isAllowedInClear(text: string, allowed: readonly Network[]): boolean {
  return ipaddr.isValid(text) && isInside(ipaddr.process(text), allowed);
}

export type Protocol = 'https:' | 'http:';

/** DNS for connections: answers only addresses that may be called. */
export function guardedLookup(protocol: Protocol, allowed: readonly Network[]): LookupFunction {
  const mayCall = protocol === 'https:' ? isAllowed : isAllowedInClear;
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
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
export function urlProblem(text: string, allowed: readonly Network[]): string | undefined {
  if (!URL.canParse(text) || text.length > 2_000) {
    return 'Ange en fullständig adress, t.ex. https://exempel.se/webhook.';
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'Adressen får inte innehålla lösenord.';
  if (url.hash !== '') return 'Adressen får inte ha något efter #.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'http:' && allowed.length > 0) {
    const mayBe = ipaddr.isValid(host) ? isAllowedInClear(host, allowed) : true;
    return mayBe ? undefined : 'Adressen ska börja med https://.';
  }
  if (url.protocol !== 'https:') return 'Adressen ska börja med https://.';
  return ipaddr.isValid(host) && !isAllowed(host, allowed)
    ? `${host} är ingen publik adress. Tillåt nätet med WEBHOOK_PRIVATE_NETWORKS om den ska anropas.`
    : undefined;
}
