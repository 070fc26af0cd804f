/** What a schema found wrong, as problems with Swedish sentences that name the field. */
import { z } from 'zod';
import { capProblems } from '../domain/problems.ts';
import { type Problem, refuse } from '../errors.ts';

type Issue = z.core.$ZodIssue;

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

const typeNames: Record<string, string> = {
  string: 'en text',
  number: 'ett tal',
  int: 'ett heltal',
  boolean: 'true eller false',
  array: 'en lista',
  object: 'ett objekt',
  null: 'null',
};

const formats: Record<string, string> = {
  uuid: 'ett uuid',
  date: 'ett datum som finns, i formen ÅÅÅÅ-MM-DD',
};

/** A field that was not sent at all; zod reports it as a wrong type. */
const isMissing = (issue: Issue): boolean =>
  'input' in issue ? issue.input === undefined : /received undefined/.test(issue.message);

function rangeProblem(issue: Issue & { code: 'too_big' | 'too_small' }): [string, string] {
  const [limit, word] =
    issue.code === 'too_big' ? [issue.maximum, 'högst'] : [issue.minimum, 'minst'];
  if (issue.origin === 'string') {
    return [issue.code === 'too_big' ? 'too_long' : 'too_short', `ska ha ${word} ${limit} tecken`];
  }
  if (issue.origin === 'array') {
    return [issue.code === 'too_big' ? 'too_many' : 'too_few', `ska ha ${word} ${limit} poster`];
  }
  if (issue.code === 'too_small' && limit === 0) return ['negative', 'får inte vara negativt'];
  return [issue.code === 'too_big' ? 'too_large' : 'too_small', `ska vara ${word} ${limit}`];
}

function describe(issue: Issue): [reason: string, sentence: string] {
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing(issue)) return ['required', 'saknas'];
      return ['wrong_type', `ska vara ${typeNames[issue.expected] ?? issue.expected}`];
    case 'too_big':
    case 'too_small':
      return rangeProblem(issue);
    case 'invalid_format':
      return ['wrong_format', `ska vara ${formats[issue.format] ?? 'i rätt form'}`];
    case 'invalid_value':
      return ['unknown_value', `ska vara något av ${issue.values.map(String).join(', ')}`];
    case 'custom': {
      const reason = issue.params?.['reason'];
      return [typeof reason === 'string' ? reason : 'invalid', issue.message];
    }
    default:
      return ['invalid', 'går inte att läsa'];
  }
}

export function problemsOf(issues: readonly Issue[], root: string): Problem[] {
  const problems = issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = pathText([...issue.path, key]);
        const message = `${path} är inget känt fält; rätta stavningen eller ta bort det.`;
        return { path, reason: 'unknown_field', message };
      });
    }
    const path = pathText(issue.path) || root;
    const [reason, sentence] = describe(issue);
    return [{ path, reason, message: `${path} ${sentence}.` }];
  });
  return capProblems(problems);
}

interface RoutePart {
  readonly schema: unknown;
  readonly httpPart?: string | undefined;
}

/** Holds a call against its route's schema, save the parts that the schema only describes. */
export const checkAllBut =
  (...described: readonly string[]) =>
  ({ schema, httpPart = 'body' }: RoutePart) => {
    if (described.includes(httpPart)) return () => true;
    if (!(schema instanceof z.ZodType)) throw new TypeError(`${httpPart} has no zod schema`);
    return (input: unknown) => {
      const result = schema.safeParse(input);
      return result.success
        ? { value: result.data }
        : { error: refuse('invalid_request', problemsOf(result.error.issues, httpPart)) };
    };
  };
