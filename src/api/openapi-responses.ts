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
    description: 'Svarets id, att hänvisa till; står i loggen och i felkroppens request_id.',
    schema: { type: 'string', format: 'uuid' },
    isOn: () => true,
  },
  RateLimit: {
    description:
      'Vad som är kvar av timmens kvot, som "hour";r=599;t=3540: anrop och sekunder till nästa. Saknas när anropet nekades innan kvoten räknades.',
    schema: text,
    isOn: (operation) => !opensWith(operation, 'session'),
  },
  'RateLimit-Policy': {
    description: 'Kvoten, som "hour";q=600;w=3600: anrop på så många sekunder.',
    schema: text,
    isOn: (operation) => !opensWith(operation, 'session'),
  },
  ETag: {
    description: 'Svarets fingeravtryck, att skicka i If-None-Match.',
    schema: text,
    isOn: (operation, status) => [200, 304].includes(status) && takes(operation, 'if-none-match'),
  },
  'Retry-After': {
    description: 'Hela sekunder att vänta innan anropet görs igen; saknas där väntan inte hjälper.',
    schema: integer,
    isOn: (operation, status) =>
      [429, 502, 503].includes(status) || (status === 409 && takes(operation, 'idempotency-key')),
  },
  'WWW-Authenticate': {
    description: 'Bearer: så ska nyckeln skickas.',
    schema: text,
    isOn: (operation, status) => status === 401 && !opensWith(operation, 'session'),
  },
  'Idempotent-Replayed': {
    description: 'true: svaret är det första anropets, och inget gjordes nu.',
    schema: { type: 'string', const: 'true' },
    isOn: (operation, status) => takes(operation, 'idempotency-key') && [200, 422].includes(status),
  },
  'Preference-Applied': {
    description: 'respond-async: svaret gavs utan att vänta på utfallet.',
    schema: text,
    isOn: (operation, status) => takes(operation, 'prefer') && status === 202,
  },
  'X-Case-Digest': {
    description: 'SHA-256 av ärendet, hexadecimalt; samma i alla format.',
    schema: text,
    isOn: ({ operationId }, status) => operationId === 'exportCollectionCase' && status === 200,
  },
  'Content-Disposition': {
    description: 'Filens namn.',
    schema: text,
    isOn: ({ operationId }, status) => operationId === 'exportCollectionCase' && status === 200,
  },
  'Cache-Control': {
    description: 'no-store: svaret får inte sparas på vägen.',
    schema: text,
    isOn: () => true,
  },
  'X-Content-Type-Options': {
    description: 'nosniff: kroppen är vad Content-Type säger.',
    schema: text,
    isOn: () => true,
  },
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Fills in headers, and what a response means where only the schema it refers to says it. */
export function describeResponses<Given extends object>(given: Given): Given {
  const { paths, components } = given as unknown as Document;
  const meaningOf = ({ $ref, description, anyOf = [] }: Schema): string => {
    const named = components.schemas[$ref?.split('/').at(-1) ?? ''];
    return description ?? named?.description ?? anyOf.map(meaningOf).join('; ');
  };
  const described = (operation: Operation, status: string, response: Response) => {
    const { schema } = response.content?.['application/json'] ?? {};
    return {
      ...response,
      description: (schema && meaningOf(schema)) || response.description,
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, { isOn }]) =>
          isOn(operation, Number(status)) ? [[name, { $ref: `#/components/headers/${name}` }]] : [],
        ),
      ),
    };
  };
  const operationWith = (operation: Operation) => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        described(operation, status, response),
      ]),
    ),
  });
  return {
    ...given,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [method, operationWith(operation)]),
        ),
      ]),
    ),
    components: {
      ...components,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, { description, schema }]) => [
          name,
          { description, schema },
        ]),
      ),
    },
  };
}
