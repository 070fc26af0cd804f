/**
 * An address that is nowhere answers 404; one that is known, asked with the wrong method, 405 and which methods
 * it has. Both say so before a body has come.
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { noSuchAddress } from './errors.ts';

/** Called before any route is made, since it watches them being made. */
export function refuseUnknownCalls(app: FastifyInstance): void {
  const addresses = new Addresses();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = [method].flat();
    addresses.add(url, methods.includes('GET') ? [...methods, 'HEAD'] : methods);
  });
  app.addHook('onRequest', async (request) => {
    if (!request.is404) return;
    const methods = addresses.methodsOf(request.url);
    if (!methods) throw noSuchAddress();
    const allow = [...methods].sort().join(', ');
    throw new AppError('method_not_allowed', `Adressen tar emot ${allow}.`, { headers: { allow } });
  });
}

/** Which methods each address has. A route of its own for each of the others would be thousands of them. */
class Addresses {
  readonly #methods = new Map<string, Set<string>>();
  #forms: readonly (readonly [RegExp, Set<string>])[] | undefined;

  /** `url` as a route has it: `/kunder/:id`. What ends in `*` is files, and any address may be one. */
  add(url: string, methods: readonly string[]): void {
    if (url.includes('*')) return;
    this.#methods.set(url, new Set([...(this.#methods.get(url) ?? []), ...methods]));
    this.#forms = undefined;
  }

  /** Of an address as it was asked for; undefined when it is nowhere. */
  methodsOf(asked: string): ReadonlySet<string> | undefined {
    const path = decodeURI(asked.replace(/[?#].*/s, ''));
    this.#forms ??= this.#readForms();
    return this.#methods.get(path) ?? this.#forms.find(([form]) => form.test(path))?.[1];
  }

  /** Those with something in them that varies; as for the router, a word goes before what varies. */
  #readForms(): readonly (readonly [RegExp, Set<string>])[] {
    const last = (url: string) => url.replaceAll(':', '\uffff');
    return [...this.#methods]
      .filter(([url]) => url.includes(':'))
      .sort(([one], [other]) => (last(one) < last(other) ? -1 : 1))
      .map(([url, methods]) => [new RegExp(`^${url.replace(/:\w+/g, '[^/]*')}$`), methods]);
  }
}
