/** Holds answers against the service's own OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Response } from 'light-my-request';
import { cautiousHeaders } from '#src/http/headers.ts';

interface Media {
  schema: Schema;
}
export interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<
    string,
    { description: string; content?: Record<string, Media>; headers?: object }
  >;
}
export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Schema {
  readonly [keyword: string]: unknown;
}

export interface Contract {
  readonly document: OpenApi;
  operation(method: string, url: string): Operation | undefined;
  /** Throws unless the answer is one that the document promises. */
  check(
    method: string,
    url: string,
    response: Pick<Response, 'statusCode' | 'body'> & Partial<Pick<Response, 'headers'>>,
  ): void;
  /** What is wrong with a value as one of the document's named schemas; null when nothing is. */
  validate(name: string, value: unknown): string | null;
  /** The same of an answer, as in `GET /api/v1/meta`, by the document as it is published. */
  validateAnswer(operation: string, status: string, value: unknown): string | null;
}

/** Statuses of addresses that the document does not list, or of wrong methods on those it lists. */
const undocumented = new Set([404, 405]);

export function createContract(swagger: unknown): Contract {
  const document = swagger as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
  const problemsOf = (steps: readonly string[], value: unknown): string | null => {
    const path = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const validate = ajv.getSchema(`openapi#/${path}`);
    if (!validate) throw new Error(`there is no schema at ${path}`);
    return validate(JSON.parse(JSON.stringify(value))) ? null : ajv.errorsText(validate.errors);
  };
  const answers = new Map<Schema, ValidateFunction>();
  const isKnown = (schema: Schema): ValidateFunction => {
    const known = answers.get(schema) ?? ajv.compile(closed(schema, document));
    answers.set(schema, known);
    return known;
  };
  const operation: Contract['operation'] = (method, url) =>
    document.paths[pathOf(url)]?.[method.toLowerCase()];
  return {
    document,
    operation,
    validate: (name, value) => problemsOf(['components', 'schemas', name], value),
    validateAnswer(name, status, value) {
      const [method = '', path = ''] = name.split(' ');
      const steps = ['paths', path, method.toLowerCase(), 'responses', status];
      return problemsOf([...steps, 'content', 'application/json', 'schema'], value);
    },
    check(method, url, { statusCode, headers = {}, body }) {
      const found = operation(method, url);
      if (!found || undocumented.has(statusCode)) return;
      const promised = found.responses[statusCode];
      if (!promised) throw new Error(`${method} ${url}: ${statusCode} is not documented: ${body}`);
      for (const name of Object.keys(headers)) {
        if (!unremarkable.has(name) && !namesOf(promised.headers).includes(name)) {
          throw new Error(`${method} ${url}: ${statusCode} does not document ${name}`);
        }
      }
      const schema = promised.content?.['application/json']?.schema;
      const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
      if (!schema && (body === '' || promised.content?.[type])) return;
      // A file is what its own type says.
      if (promised.content?.['*/*']) return;
      if (!schema) throw new Error(`${method} ${url}: ${statusCode} has no schema`);
      const validate = isKnown(schema);
      if (!validate(JSON.parse(body))) {
        throw new Error(
          `${method} ${url}: ${statusCode} breaks its schema: ${ajv.errorsText(validate.errors)}\n${body}`,
        );
      }
    },
  };
}

const pathOf = (url: string): string => url.replace(/\?.*$/s, '');

/** Headers of any HTTP answer, and of any over TLS. */
const unremarkable = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  // For browsers alone, and on every answer alike.
  ...Object.keys(cautiousHeaders(true)),
]);

const namesOf = (headers: object = {}): string[] =>
  Object.keys(headers).map((name) => name.toLowerCase());

/**
 * A schema of an answer that allows only what it names. The document itself lets new fields and values come;
 * the service answers with none that the document does not know.
 */
function closed(schema: Schema, { components }: OpenApi): Schema {
  const nameOf = ({ $ref }: Schema) => (typeof $ref === 'string' ? $ref.split('/').at(-1) : '');
  const meant = (one: Schema): Schema => components.schemas[nameOf(one) ?? ''] ?? one;
  const listOf = (one: unknown) => (one ?? []) as readonly Schema[];
  const extendsOther = (one: Schema, other: Schema): boolean =>
    listOf(meant(one)['allOf']).some(
      (part) => nameOf(part) !== '' && nameOf(part) === nameOf(other),
    );
  /** What stands beside known kinds or values only for those to come. */
  const isOpening = (one: Schema, among: readonly Schema[]): boolean =>
    among.some((other) => extendsOther(other, one)) ||
    (one['type'] === 'string' &&
      among.some((other) => other !== one && other['const']) &&
      one['const'] === undefined);
  const parts = (given: Schema): Schema => {
    const one = meant(given);
    const { properties, items, anyOf, allOf, ...rest } = one;
    return {
      ...rest,
      ...(properties ? { properties: mapValues(properties as Record<string, Schema>, whole) } : {}),
      ...(items ? { items: whole(items as Schema) } : {}),
      ...(anyOf
        ? {
            anyOf: listOf(anyOf)
              .filter((part) => !isOpening(part, listOf(anyOf)))
              .map(whole),
          }
        : {}),
      ...(allOf ? { allOf: listOf(allOf).map(parts) } : {}),
    };
  };
  const whole = (given: Schema): Schema => {
    const one = meant(given);
    const names = Object.keys((one['properties'] ?? {}) as object);
    const isObject = names.length > 0 || one['allOf'] !== undefined;
    const isStrict = one['additionalProperties'] !== undefined;
    return { ...parts(one), ...(isObject && !isStrict ? { unevaluatedProperties: false } : {}) };
  };
  return whole(schema);
}

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
