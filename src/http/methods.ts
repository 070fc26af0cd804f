/** A known path asked with the wrong method answers 405 and says which methods it has. */
import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../lib/errors.ts';

/** Watches routes being made; the function it returns, called last, fills in the other methods. */
export function watchMethods(app: FastifyInstance): () => void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  const known = new Set<string>();
  app.addHook('onRoute', ({ url }) => void known.add(url));
  return () => {
    for (const url of [...known]) {
      if (!url.includes('*')) refuseOthers(app, url);
    }
  };
}

function refuseOthers(app: FastifyInstance, url: string): void {
  const has = (method: string): boolean => app.hasRoute({ url, method });
  const allow = app.supportedMethods.filter(has).sort().join(', ');
  app.route({
    method: app.supportedMethods.filter((method) => !has(method)),
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
