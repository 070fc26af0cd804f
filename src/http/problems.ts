/** What a schema found wrong, as problems with Swedish sentences that name the field. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { capProblems } from '../domain/basics/problems.ts';
import { type Problem, refuse } from '../lib/errors.ts';
import { apiProblem } from '../lib/sentences/say.ts';

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

const uuidForm = 'ett id (uuid): 32 hexadecimala tecken i grupperna 8-4-4-4-12';

/** Forms that zod knows by a name. Any other has its own sentence, beside the expression that tells it. */
const formats: Record<string, string> = { uuid: uuidForm, guid: uuidForm };

/** A field that was not sent at all; zod reports it as a wrong type. */
const isMissing = (issue: Issue): boolean =>
  'input' in issue ? issue.input === undefined : /received undefined/.test(issue.message);

/** As Swedish has it: 9 999 999 999,99. */
const numberText = (number: number | bigint): string => number.toLocaleString('sv');

function rangeProblem(issue: Issue & { code: 'too_big' | 'too_small' }): [string, string] {
  const [limit, word] =
    issue.code === 'too_big' ? [issue.maximum, 'högst'] : [issue.minimum, 'minst'];
  if (issue.origin === 'string') {
    return [issue.code === 'too_big' ? 'too_long' : 'too_short', `ska ha ${word} ${limit} tecken`];
  }
  if (issue.origin === 'array') {
    const items = limit === 1 ? 'post' : 'poster';
    return [issue.code === 'too_big' ? 'too_many' : 'too_few', `ska ha ${word} ${limit} ${items}`];
  }
  if (issue.code === 'too_small' && limit === 0) return ['negative', 'får inte vara negativt'];
  return [
    issue.code === 'too_big' ? 'too_large' : 'too_small',
    `ska vara ${word} ${numberText(limit)}`,
  ];
}

/** What is none of several: of those that one member tells apart, which there are. */
function unionProblem(issue: Issue & { code: 'invalid_union' }): [string, string] {
  if (isMissing(issue)) return ['required', 'saknas'];
  const { discriminator, input } = issue;
  const options = 'options' in issue ? (issue.options ?? []) : [];
  if (discriminator === undefined || options.length === 0) return ['invalid', 'går inte att läsa'];
  const words = `något av ${options.map(String).join(', ')}`;
  return Object.hasOwn(Object(input), discriminator)
    ? ['unknown_value', `ska vara ${words}`]
    : ['required', `saknas; ange ${words}`];
}

function describe(issue: Issue, root: string): [reason: string, sentence: string] {
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing(issue)) return ['required', 'saknas'];
      if (root === 'querystring') return ['wrong_type', 'ska anges en gång'];
      // JSON's readers make it of what no number of theirs can hold: 1e400.
      if (issue.input === Infinity || issue.input === -Infinity)
        return ['too_large', 'är för stort'];
      return ['wrong_type', `ska vara ${typeNames[issue.expected] ?? issue.expected}`];
    case 'too_big':
    case 'too_small':
      return rangeProblem(issue);
    case 'invalid_format':
      return [
        'wrong_format',
        formats[issue.format] ? `ska vara ${formats[issue.format]}` : issue.message,
      ];
    case 'invalid_value':
      if (isMissing(issue)) return ['required', 'saknas'];
      return [
        'unknown_value',
        `ska vara ${issue.values.length === 1 ? '' : 'något av '}${issue.values.map(String).join(', ')}`,
      ];
    case 'invalid_union':
      return unionProblem(issue);
    case 'custom': {
      const reason = issue.params?.['reason'];
      return [typeof reason === 'string' ? reason : 'invalid', issue.message];
    }
    default:
      return ['invalid', 'går inte att läsa'];
  }
}

/** The faults of what somebody must have meant where one thing or several may stand; of the whole when nobody can tell. */
function meantBy(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isWhole = ({ path, code }: Issue) => path.length === 0 && code === 'invalid_type';
  const meant =
    issue.errors.find((faults) => faults.some(({ path }) => path.length > 0)) ??
    issue.errors.find((faults) => !faults.some(isWhole));
  if (meant === undefined) return [issue];
  return meant.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

export function problemsOf(issues: readonly Issue[], root: string): Problem[] {
  const problems = issues.flatMap(meantBy).flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = pathText([...issue.path, key]);
        const message =
          root === 'querystring'
            ? path === ''
              ? 'En parameter saknar namn; ta bort den.'
              : `${path} är ingen känd parameter; rätta stavningen eller ta bort den.`
            : `${path} är inget känt fält; rätta stavningen eller ta bort det.`;
        return { path, reason: 'unknown_field', message };
      });
    }
    const path = pathText(issue.path) || root;
    const [reason, sentence] = describe(issue, root);
    return [{ path, reason, message: `${path} ${sentence}.` }];
  });
  return capProblems(problems).map(apiProblem);
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
      const result = schema.safeParse(input, { reportInput: true });
      return result.success
        ? { value: result.data }
        : { error: refuse('invalid_request', problemsOf(result.error.issues, httpPart)) };
    };
  };

/**
 * preValidation hook of calls with a key: a parameter that cannot be decoded is named, not passed on as it
 * stands to match nothing. (The agency's routes read no parameter, and pages take what people type.)
 */
export async function refuseBrokenQuery({ caller, url }: FastifyRequest): Promise<void> {
  const query = url.split('?').slice(1).join('?');
  if (caller === null || !query.includes('%')) return;
  const broken = query.split('&').find((part) => !isDecodable(part));
  if (broken === undefined) return;
  const [name = ''] = broken.split('=');
  const path = isDecodable(name) ? decodeURIComponent(name) : name;
  const message = `${path} innehåller felaktig procentkodning; ett procenttecken skrivs %25.`;
  throw refuse('invalid_request', [{ path, reason: 'not_decodable', message }]);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
