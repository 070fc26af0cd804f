/** `/openapi.json` from the routes' own schemas, and `/docs` for people, served from this machine. */
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { docsContentSecurityPolicy } from '../http/headers.ts';
import { exampleDate } from '../http/schemas.ts';
import type { Clock } from '../lib/clock.ts';
import { appVersion } from '../lib/version.ts';
import { webhookOperations } from './events/openapi.ts';
import { describeResponses } from './openapi-responses.ts';

/** How zod's schemas are written as JSON Schema. */
const zodToJsonConfig = {
  override({ zodSchema, jsonSchema }: Parameters<OverrideOf>[0]): void {
    const { def } = zodSchema._zod;
    // What is not said to be strict is open: answers get new fields (contract 7, 9).
    if (def.type === 'object' && !('catchall' in def && def.catchall)) {
      delete jsonSchema.additionalProperties;
    }
    // Only what JavaScript can count to; nobody's limit.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // The format says it all.
    if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  },
};
type OverrideOf = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const writeSchemas = createJsonSchemaTransformObject({ zodToJsonConfig });

export async function registerOpenApi(app: FastifyInstance, clock: Clock): Promise<void> {
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
          agencyKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'Byrånyckel: svcb_ och 43 tecken; duger bara till att byta till sig en token',
          },
          agencyToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'Token från POST /api/byra/token; gäller en timme',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-huvudbok',
            description: 'Den som är inloggad i appen',
          },
        },
      },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: (document) => {
      const written = { ...writeSchemas(document), webhooks: webhookOperations() };
      return withExamples(withXmlAsText(describeResponses(withoutUnused(written))));
    },
  });
  const served = servedOn(app, clock);
  await app.register(fastifySwaggerUi, {
    transformSpecification: served,
    transformSpecificationClone: false,
    staticCSP: docsContentSecurityPolicy,
    routePrefix: '/docs',
    uiConfig: { deepLinking: true, displayRequestDuration: true, tryItOutEnabled: true },
    theme: {
      title: 'Huvudbok: API',
      css: [{ filename: 'huvudbok.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => served());
}

/** The document with today's date in its examples; made once a day. */
function servedOn(app: FastifyInstance, clock: Clock): () => Readonly<Record<string, unknown>> {
  let made: { readonly day: string; readonly document: Record<string, unknown> } | undefined;
  return () => {
    const day = clock.today();
    if (made?.day === day) return made.document;
    const text = JSON.stringify(app.swagger()).replaceAll(exampleDate, day);
    made = { day, document: JSON.parse(text) as Record<string, unknown> };
    return made.document;
  };
}

/** Each named schema comes both as it is read and as it is written; what nothing refers to goes. */
function withoutUnused<Document extends object>(document: Document): Document {
  const { components, ...rest } = document as { components?: { schemas?: object } };
  const schemas = new Map(Object.entries(components?.schemas ?? {}));
  const used = new Map<string, unknown>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (used.has(name)) continue;
      used.set(name, schemas.get(name));
      follow(schemas.get(name));
    }
  };
  follow(rest);
  const kept = Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, components: { ...components, schemas: kept } };
}

/** A body that may also come as XML has one schema, which is the JSON's: XML is only a text to JSON Schema. */
function withXmlAsText<Document extends object>(document: Document): Document {
  const text = JSON.stringify(document, (key, value) =>
    key === 'application/xml'
      ? { schema: { type: 'string', description: 'Dokumentet som det är' } }
      : value,
  );
  return JSON.parse(text) as Document;
}

/**
 * A schema's `example` becomes `examples`, as JSON Schema has it. Written in the singular because zod
 * leaves `examples` out where a value is transformed on its way in.
 */
function withExamples<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(withExamples) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const { example, ...rest } = node as { example?: unknown; type?: unknown };
  const isSchema = example !== undefined && rest.type !== undefined;
  const parts = Object.entries(isSchema ? rest : node).map(([name, part]) => [
    name,
    withExamples(part),
  ]);
  return { ...Object.fromEntries(parts), ...(isSchema ? { examples: [example] } : {}) } as Node;
}
