/** Examples of answers in the API's description. They have been answered: a test writes them down, and holds the file to what is answered now. */
import { readFileSync } from 'node:fs';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
interface Response {
  readonly content?: Readonly<Record<string, Media>>;
}
type Methods = Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>;

/** By operation, as `GET /api/v1/meta`, then by status. */
type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const answers = (): Answers =>
  JSON.parse(readFileSync(new URL('./openapi-answers.json', import.meta.url), 'utf8')) as Answers;

/** The document with an example at each answer that is written down. */
export function withAnswers<Document extends object>(document: Document): Document {
  const { paths } = document as unknown as { paths: Readonly<Record<string, Methods>> };
  const known = answers();
  const withAnswer = (name: string, status: string, response: Response): Response => {
    const json = response.content?.['application/json'];
    const example = known[name]?.[status];
    if (!json || example === undefined) return response;
    return {
      ...response,
      content: { ...response.content, 'application/json': { ...json, example } },
    };
  };
  const mapped = <Value>(
    given: Readonly<Record<string, Value>>,
    made: (value: Value, name: string) => Value,
  ) => Object.fromEntries(Object.entries(given).map(([name, value]) => [name, made(value, name)]));
  return {
    ...document,
    paths: mapped(paths, (methods, path) =>
      mapped(methods, (operation, method) => ({
        ...operation,
        responses: mapped(operation.responses, (response, status) =>
          withAnswer(`${method.toUpperCase()} ${path}`, status, response),
        ),
      })),
    ),
  };
}
