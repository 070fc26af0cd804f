/** The first page a person sees: that Huvudbok is up, and where to go from here. */
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { loadTemplate } from '../render/templates.ts';
import { appVersion } from '../version.ts';

const publicFolder = join(import.meta.dirname, '../../public');
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export async function registerWelcome(app: FastifyInstance, baseUrl: string): Promise<void> {
  await app.register(fastifyStatic, { root: publicFolder, prefix: '/public/', maxAge: '1h' });
  const page = loadTemplate('pages/welcome')({ version: appVersion, baseUrl });
  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send(page),
  );
}
