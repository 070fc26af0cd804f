/** `/openapi.json` from the routes' own schemas, and `/docs` for people, served from this machine. */
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { appVersion } from '../version.ts';

export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Huvudbok',
        version: appVersion,
        description:
          'Bokföring i egen drift. Belopp är kronor med högst två decimaler, datum är ÅÅÅÅ-MM-DD. Varje svar bär X-Request-Id; fel har alltid formen {error, message, detail, request_id}.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'API-nyckel: svc_live_ och 43 tecken',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  });
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    uiConfig: { deepLinking: true, displayRequestDuration: true, tryItOutEnabled: true },
    theme: { title: 'Huvudbok: API' },
  });
}
