/** What the API's description tells of every response beside its body: what it means, and its headers. */

interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
}

interface Header {
  readonly description: string;
  readonly schema: object;
  readonly isOn: (operation: Operation, status: number) => boolean;
}

const text = { type: 'string' };
const integer = { type: 'integer', minimum: 0 };

const opensWith = ({ security = [] }: Operation, ...schemes: readonly string[]): boolean =>
  security.some((one) => schemes.some((scheme) => scheme in one));
const takes = ({ parameters = [] }: Operation, header: string): boolean =>
  parameters.some(({ name }) => name === header);

const headers: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description:
      'The id of the answer, to refer to; stands in the log and in request_id of a refusal.',
    schema: { type: 'string', format: 'uuid' },
    isOn: () => true,
  },
  RateLimit: {
    description:
      'What is left of the quota of the hour, as "hour";r=599;t=3540: calls, and seconds until the next. Missing when the call was refused before the quota was counted.',
    schema: text,
    isOn: (operation) => !opensWith(operation, 'session'),
  },
  'RateLimit-Policy': {
    description: 'The quota, as "hour";q=600;w=3600: calls in so many seconds.',
    schema: text,
    isOn: (operation) => !opensWith(operation, 'session'),
  },
  ETag: {
    description: 'Fingerprint of the answer, to send in If-None-Match.',
    schema: text,
    isOn: (operation, status) =>
      [200, 206, 304].includes(status) && takes(operation, 'if-none-match'),
  },
  'Retry-After': {
    description:
      'Whole seconds to wait before the call is made again; missing where waiting does not help.',
    schema: integer,
    isOn: (operation, status) =>
      [429, 502, 503].includes(status) || (status === 409 && takes(operation, 'idempotency-key')),
  },
  'WWW-Authenticate': {
    description: 'Bearer: how the key is to be sent.',
    schema: text,
    isOn: (operation, status) => status === 401 && !opensWith(operation, 'session'),
  },
  'Idempotent-Replayed': {
    description: 'true: the answer is that of the first call, and nothing was done now.',
    schema: { type: 'string', const: 'true' },
    isOn: (operation, status) => takes(operation, 'idempotency-key') && [200, 422].includes(status),
  },
  'Preference-Applied': {
    description: 'respond-async: the answer was given without waiting for the outcome.',
    schema: text,
    isOn: (operation, status) => takes(operation, 'prefer') && status === 202,
  },
  'X-Case-Digest': {
    description: 'SHA-256 of the case, hexadecimal; the same in all formats.',
    schema: text,
    isOn: ({ operationId }, status) => operationId === 'exportCollectionCase' && status === 200,
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    schema: text,
    isOn: ({ operationId }, status) =>
      ['exportCollectionCase', 'exportVouchers', 'getDocument'].includes(operationId) &&
      [200, 206].includes(status),
  },
  'Accept-Ranges': {
    description: 'bytes: parts of the file can be asked for by Range.',
    schema: text,
    isOn: (operation, status) => takes(operation, 'range') && [200, 206, 304].includes(status),
  },
  'Content-Range': {
    description: 'Which bytes of how many the answer has.',
    schema: text,
    isOn: (operation, status) => takes(operation, 'range') && status === 206,
  },
  'Export-Snapshot': {
    description: 'The moment of the export, to send as snapshot when it is to go on.',
    schema: text,
    isOn: ({ operationId }, status) => operationId === 'exportVouchers' && status === 200,
  },
  'Cache-Control': {
    description: 'no-store: nothing on the way may keep the answer.',
    schema: text,
    isOn: () => true,
  },
  'X-Content-Type-Options': {
    description: 'nosniff: the body is what Content-Type says.',
    schema: text,
    isOn: () => true,
  },
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The document with each of its operations' responses made anew. */
function withResponses<Given extends object>(
  given: Given,
  made: (operation: Operation, status: string, response: Response) => object,
): Given {
  const operationWith = (operation: Operation) => ({
    ...operation,
    responses: mapped(operation.responses, (response, status) => made(operation, status, response)),
  });
  const { paths } = given as unknown as Document;
  return { ...given, paths: mapped(paths, (methods) => mapped(methods, operationWith)) };
}

const mapped = <Value, Made>(
  given: Readonly<Record<string, Value>>,
  made: (value: Value, name: string) => Made,
): Record<string, Made> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, made(value, name)]));

/** Fills in the headers of every response. */
export function withHeaders<Given extends object>(given: Given): Given {
  const { components } = given as unknown as Document;
  const described = withResponses(given, (operation, status, response) => ({
    ...response,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, { isOn }]) =>
        isOn(operation, Number(status)) ? [[name, { $ref: `#/components/headers/${name}` }]] : [],
      ),
    ),
  }));
  return {
    ...described,
    components: {
      ...components,
      headers: mapped(headers, ({ description, schema }) => ({ description, schema })),
    },
  };
}

/**
 * Fills in what a response means where only the schema it refers to says it: of a refusal, each code that
 * it may carry.
 */
export function withMeanings<Given extends object>(given: Given): Given {
  const { schemas } = (given as unknown as Document).components;
  const named = ({ $ref = '' }: Schema) => schemas[$ref.split('/').at(-1) ?? ''];
  const meaningOf = (schema: Schema): string =>
    schema.description ??
    named(schema)?.description ??
    (schema.anyOf ?? []).map(meaningOf).join('. ');
  const codeOf = (kind: Schema) => named(kind)?.allOf?.[1]?.properties?.['error']?.const;
  const refusalOf = ({ anyOf = [] }: Schema): string =>
    anyOf
      .flatMap((kind) => {
        const code = codeOf(kind);
        return code === undefined ? [] : [`\`${code}\`: ${meaningOf(kind)}`];
      })
      .join('\n\n');
  return withResponses(given, (_, status, response) => {
    const { schema = {} } = response.content?.['application/json'] ?? {};
    const meaning = Number(status) >= 400 ? refusalOf(schema) : meaningOf(schema);
    return { ...response, description: meaning || response.description };
  });
}
