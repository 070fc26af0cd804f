/** `/docs`: the API's description for people, in either language, with nothing from elsewhere. */
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { docsContentSecurityPolicy } from '../http/headers.ts';
import { languageOf, languageQuery } from '../http/language.ts';
import type { Language } from '../lib/language.ts';
import { packageFile } from '../lib/package-file.ts';

/** Where Swagger UI's own files are; the page around them is ours. */
const swaggerUi = packageFile('@fastify/swagger-ui', 'static');

const words = {
  en: { title: 'Huvudbok: the API', other: 'Svenska', otherCode: 'sv' },
  sv: { title: 'Huvudbok: API', other: 'English', otherCode: 'en' },
} as const;

const pageIn = (language: Language): string => {
  const { title, other, otherCode } = words[language];
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/public/api-docs.css">
<link rel="icon" href="/public/icon.svg" type="image/svg+xml">
</head>
<body>
<nav><a href="/openapi.json?lang=${language}">/openapi.json</a><a href="/docs?lang=${otherCode}" lang="${otherCode}" hreflang="${otherCode}">${other}</a></nav>
<main id="description"></main>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/public/api-docs.js"></script>
</body>
</html>
`;
};

const docsPage: FastifyPluginAsync = async (docs) => {
  docs.addHook('onSend', async (_, reply) => {
    reply.header('content-security-policy', docsContentSecurityPolicy);
  });
  await docs.register(fastifyStatic, {
    root: swaggerUi,
    prefix: '/docs/static/',
    decorateReply: false,
    index: false,
    maxAge: '1h',
  });
  for (const url of ['/docs', '/docs/']) {
    docs.withTypeProvider<ZodTypeProvider>().route({
      method: 'GET',
      url,
      schema: { hide: true, querystring: languageQuery },
      handler: async (request, reply) => {
        const language = languageOf(request);
        reply.headers({ 'content-language': language, vary: 'Accept-Language' });
        return reply.type('text/html; charset=utf-8').send(pageIn(language));
      },
    });
  }
};

export async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(docsPage);
}
