/** `/docs`: the API's description for people, in either language, with nothing from elsewhere. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { docsContentSecurityPolicy } from '../http/headers.ts';
import { type Language, languageOf, languageQuery } from '../http/language.ts';

/** Where Swagger UI's own files are; the page around them is ours. */
const swaggerUi = dirname(
  createRequire(import.meta.url).resolve('@fastify/swagger-ui/static/swagger-ui.css'),
);

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
<link rel="stylesheet" href="/docs/page.css">
<link rel="icon" href="/public/icon.svg" type="image/svg+xml">
</head>
<body>
<nav><a href="/openapi.json?lang=${language}">/openapi.json</a><a href="/docs?lang=${otherCode}" lang="${otherCode}" hreflang="${otherCode}">${other}</a></nav>
<main id="description"></main>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;
};

const script = `SwaggerUIBundle({
  dom_id: '#description',
  url: '/openapi.json?lang=' + document.documentElement.lang,
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Closed until somebody opens it: the many schemas take longer to draw than all the operations.
  defaultModelsExpandDepth: 0,
});
`;

/** Swagger UI is made for wide windows; on a phone its tables and lists stand below each other. */
const style = `body { margin: 0; }
nav { display: flex; justify-content: flex-end; gap: 1.5rem; max-width: 1460px; margin: 0 auto;
  padding: .75rem 20px 0; box-sizing: border-box; font: 14px/1.5 sans-serif; }
nav a { color: #1d5fa8; }
.swagger-ui .info { margin: 1rem 0 1.5rem; }
.swagger-ui .info hgroup.main a { display: none; }
`;

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
  const files = [
    ['/docs/page.js', 'application/javascript', script],
    ['/docs/page.css', 'text/css', style],
  ] as const;
  for (const [url, type, content] of files) {
    docs.get(url, { schema: { hide: true } }, async (_, reply) =>
      reply.type(`${type}; charset=utf-8`).send(content),
    );
  }
};

export async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(docsPage);
}
