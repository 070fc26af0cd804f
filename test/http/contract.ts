/** Holds answers against the service's own OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Response } from 'light-my-request';

interface Media {
  schema: object;
}
export interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}
export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}

export interface Contract {
  readonly document: OpenApi;
  operation(method: string, url: string): Operation | undefined;
  /** Throws unless the answer is one that the document promises. */
  check(method: string, url: string, response: Pick<Response, 'statusCode' | 'body'>): void;
  /** What is wrong with a value as one of the document's named schemas; null when nothing is. */
  validate(name: string, value: unknown): string | null;
}

/** Statuses of addresses that the document does not list, or of wrong methods on those it lists. */
const undocumented = new Set([404, 405]);

export function createContract(swagger: unknown): Contract {
  const document = swagger as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
  const operation: Contract['operation'] = (method, url) =>
    document.paths[pathOf(url)]?.[method.toLowerCase()];
  return {
    document,
    operation,
    validate(name, value) {
      const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
      return validate?.(JSON.parse(JSON.stringify(value)))
        ? null
        : ajv.errorsText(validate?.errors);
    },
    check(method, url, { statusCode, body }) {
      const found = operation(method, url);
      if (!found || undocumented.has(statusCode)) return;
      const promised = found.responses[statusCode];
      if (!promised) throw new Error(`${method} ${url}: ${statusCode} is not documented: ${body}`);
      const path = [
        'paths',
        pathOf(url),
        method.toLowerCase(),
        'responses',
        String(statusCode),
        'content',
        'application/json',
        'schema',
      ];
      const ref = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
      const validate = ajv.getSchema(`openapi#/${ref}`);
      if (!validate) throw new Error(`${method} ${url}: ${statusCode} has no schema`);
      if (!validate(JSON.parse(body))) {
        throw new Error(
          `${method} ${url}: ${statusCode} breaks its schema: ${ajv.errorsText(validate.errors)}\n${body}`,
        );
      }
    },
  };
}

const pathOf = (url: string): string => url.replace(/\?.*$/s, '');
