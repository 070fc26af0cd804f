/** A known path asked with the wrong method answers 405 and says which methods it has. */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AppError } from '../errors.ts';

const methods: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
];

/** Watches routes being made; the function it returns, called last, fills in the other methods. */
export function watchMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const allowed = known.get(url) ?? new Set();
    for (const one of [method].flat()) allowed.add(one);
    known.set(url, allowed);
  });
  return () => {
    for (const [url, allowed] of [...known]) {
      if (!url.includes('*')) refuseOthers(app, url, [...allowed]);
    }
  };
}

function refuseOthers(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  const allow = allowed.join(', ');
  app.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    onRequest: async () => {
      throw new AppError('method_not_allowed', `Adressen tar emot ${allow}.`, {
        headers: { allow },
      });
    },
    handler: async () => undefined,
  });
}
