/** `/openapi.json` from the routes' own schemas, and `/docs` for people, served from this machine. */
import fastifySwagger from '@fastify/swagger';
import type { FastifyReply } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { App } from '../http/fastify.ts';
import { languageOf, languageQuery } from '../http/language.ts';
import { exampleDate } from '../http/schemas.ts';
import { answerUnchanged } from '../http/unchanged.ts';
import type { Clock } from '../lib/clock.ts';
import type { Language } from '../lib/language.ts';
import { appVersion } from '../lib/version.ts';
import { registerDocsPage } from './docs-page.ts';
import { exampleDocument } from './e-invoices/example.ts';
import { webhookOperations } from './events/openapi.ts';
import { withFieldWords } from './field-words.ts';
import { withAnswers } from './openapi-answers.ts';
import { inLanguage } from './openapi-language.ts';
import { refusalTables } from './openapi-refusals.ts';
import { withHeaders, withMeanings } from './openapi-responses.ts';
import { tags } from './tags.ts';

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

export async function registerOpenApi(app: App, clock: Clock): Promise<void> {
  /** As it is before a language is chosen; there once the document has been asked for. */
  let written: object = {};
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Huvudbok',
        version: appVersion,
        description:
          'Self-hosted bookkeeping. Amounts are kronor with at most two decimals, dates are YYYY-MM-DD. Every answer bears X-Request-Id; refusals always have the form {error, message, detail, request_id}.',
        contact: { name: 'The maintainers of Huvudbok' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'API key: svc_live_ and 43 characters; svc_test_ for the example company',
          },
          agencyKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'Agency key: svcb_ and 43 characters; good only for exchanging it for a token',
          },
          agencyToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'Token from POST /api/byra/token; valid for an hour',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-huvudbok',
            description:
              'Whoever is logged in to the application; at a port of its own its number follows, as in __Host-huvudbok-3000',
          },
        },
      },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: (document) => {
      const named = {
        ...writeSchemas(document),
        webhooks: webhookOperations(),
        ...refusalTables(),
      };
      const described = withTexts(withHeaders(withFieldWords(withoutUnused(named))));
      written = withAnswers(withExamples(described));
      return withMeanings(written);
    },
  });
  const textIn = servedOn(clock, (language) => {
    const english = app.swagger();
    return language === 'en' ? english : withMeanings(inLanguage(written, language));
  });
  for (const url of ['/openapi.json', '/docs/json']) {
    app.route({
      method: 'GET',
      url,
      schema: { hide: true, querystring: languageQuery },
      onSend: answerUnchanged,
      handler: async (request, reply: FastifyReply) => {
        const language = languageOf(request);
        reply.headers({
          'content-language': language,
          vary: 'Accept-Language',
          // Nobody's secret: it may be kept, and asked about by its ETag.
          'cache-control': 'no-cache',
        });
        return reply.type('application/json; charset=utf-8').send(textIn(language));
      },
    });
  }
  await registerDocsPage(app);
}

/** The document as text, with today's date in its examples; made once a day and language. */
function servedOn(clock: Clock, documentIn: (language: Language) => object) {
  const made = new Map<Language, { readonly day: string; readonly text: string }>();
  return (language: Language): string => {
    const day = clock.today();
    const last = made.get(language);
    if (last?.day === day) return last.text;
    const text = JSON.stringify(documentIn(language)).replaceAll(exampleDate, day);
    made.set(language, { day, text });
    return text;
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

/** What JSON Schema knows as a text alone. A body that may also be JSON has one schema, which is the JSON's. */
const texts: Readonly<Record<string, { readonly description: string; readonly example?: string }>> =
  {
    'application/xml': { description: 'The document as it is', example: exampleDocument },
    'application/x-ndjson': { description: 'One JSON object a line, each as an item of the array' },
  };

function withTexts<Document extends object>(document: Document): Document {
  const isText = (value: { schema?: { type?: unknown } }) => value.schema?.type === 'string';
  const text = JSON.stringify(document, (key, value) => {
    const told = texts[key];
    if (told === undefined || isText(value)) return value;
    const { description, ...shown } = told;
    return { schema: { type: 'string', description }, ...shown };
  });
  return JSON.parse(text) as Document;
}

/**
 * A schema's `example` becomes `examples`, as JSON Schema has it. Written in the singular because zod
 * leaves `examples` out where a value is transformed on its way in.
 */
function withExamples<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(withExamples) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const { example, ...rest } = node as { example?: unknown };
  const isSchema = example !== undefined && ['type', 'anyOf', 'oneOf'].some((one) => one in rest);
  const parts = Object.entries(isSchema ? rest : node).map(([name, part]) => [
    name,
    withExamples(part),
  ]);
  return { ...Object.fromEntries(parts), ...(isSchema ? { examples: [example] } : {}) } as Node;
}
