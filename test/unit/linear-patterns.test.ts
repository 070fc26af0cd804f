/**
 * No pattern of ours takes the square of a text's length in time, or worse. Every literal of the program is
 * found by the compiler's own parser, and proved: by counting how much of it can repeat, else by recheck's
 * automata. What neither proves stands below by name, with what its input is.
 */
import { globSync, readFileSync } from 'node:fs';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { check } from 'recheck';
import ts from 'typescript-5';
import { describe, expect, test } from 'vitest';
import { indentJson } from '#src/domain/basics/json.ts';
import { normalizeMailAddress, parseRecipients } from '#src/domain/basics/mail-address.ts';
import { readVatName } from '#src/domain/ledger/vat-name.ts';
import { textCell } from '#src/lib/csv.ts';
import { AppError } from '#src/lib/errors.ts';
import { orderField } from '#src/lib/sentences/order-fields.ts';
import { anyUri } from '#src/peppol/data/ubl-structure.ts';
import { findIllFormedInstruction } from '#src/peppol/xml/instructions.ts';
import { inSwedish } from '#src/peppol/xml/well-formedness.ts';
import { createLogger } from '#src/process/logger.ts';
import { documentOf } from '#src/purchases/e-invoices/body.ts';
import { documentBytes } from '#src/purchases/e-invoices/identity.ts';
import { expectCheap } from '../support/cost.ts';

const operators = 'read only from what the operator has set or typed';
/** Not proved linear; why that does no harm. What comes from outside is fed to its door below. */
const excused: Readonly<Record<string, string>> = {
  '/\\B(?=(\\d{3})+$)/g': 'amounts that a page computes in the browser it is shown in',
  '/\\/+$/': operators,
  '/%.*$/': operators,
  "/option '([^']*)' argument .* is invalid\\. (.*)$/s": operators,
  '/\\(Did you mean (one of )?([^?]*)\\?\\)/': operators,
  '/\\b(svc[bt]?_(?:live_)?|whsec_)[A-Za-z0-9_+/-]{8,}/g':
    'fewer than eight signs are passed over, more are taken whole',
  '/<\\/(?:[A-Za-z_][\\w.-]*:)?StandardBusinessDocumentHeader[ \\t\\r\\n]*>/':
    'begins with a sign that nothing in it repeats',
  '/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+(?!\\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/':
    'reads no more than 253 signs',
  '/(hyr|arrende).*(frivil|skattepl|momspl)|(frivil|skattepl|momspl).*(hyr|arrende)/':
    'readVatName reads 200 signs',
  '/utanf\\S*\\s+eu|\\bej eu|export|tredje ?land|import(?!.*\\beu\\b)/':
    'readVatName reads 200 signs',
  '/\\bred\\w*\\.?\\s*(?:moms)?\\s*([12])/': 'readVatName reads 200 signs',
  [String(anyUri)]: 'each sign can be read in one way within each of its few alternatives',
};

/** Where patterns are made of texts, all of them ours, and no more of them than stand here. */
const made: readonly string[] = [
  'src/config/config.ts',
  'src/db/migrations.ts',
  'src/db/roles.ts',
  'src/domain/ledger/sie/code-page.ts',
  'src/http/methods.ts',
  'src/installation/company/service.ts',
  'src/ledger/verification/schema.ts',
  // Of templates, and of nothing that comes to them.
  'src/render/template-words.ts',
  'src/render/template-words.ts',
];

const log = createLogger('info', 'http', { write: () => undefined });
/** What an excused pattern might choke on, by way of where it comes in: a beginning, and what follows for long. */
const doors: readonly (readonly [string, (text: string) => unknown, readonly string[]])[] = [
  ['a log line', (text) => log.info(text), ['svc_', 'svc_-', 'whsec_ ', 'a@', 'a', 'svc_live_a ']],
  [
    'the name of a field of an order',
    orderField,
    ['a', 'rows[', 'rows[1', 'rows[1].', 'customer.', 'rows[0].quantity. '],
  ],
  [
    'an envelope',
    (text) => documentBytes(Buffer.from(`<StandardBusinessDocument>${text}`)),
    ['</', '</a', '</a:', 'a', '</StandardBusinessDocumentHeader ', '<!--', ' '],
  ],
  [
    'a comment before an envelope',
    (text) => documentBytes(Buffer.from(text)),
    ['<!-- -->', '<!--', '<?a?>', ' '],
  ],
  ['a mail address', (text) => normalizeMailAddress(`a@${text}`), ['a', 'a.', '-', '1.', 'å.']],
  ['many mail addresses', (text) => parseRecipients(text), ['a', ',', ' ', 'a@a.se,']],
  [
    'a name of an account',
    (text) => readVatName(text, { isVatAccount: true }),
    ['hyr', 'red', 'red ', 'utanf', 'utanf ', 'import', 'lj/', '1'],
  ],
  [
    'a URI',
    (text) => anyUri.test(text),
    ['a', ':', '/', '//', 'a:', '@', 'a/', '%20', '?', '#', '[', '//a@', '//a:1', ' '],
  ],
  ['a word of the XML parser', inSwedish, ['unclosed tag: ', 'duplicate attribute: a', 'a', '\n']],
  [
    'an instruction',
    findIllFormedInstruction,
    ['<?a?>', '<!--?>', '<![CDATA[?>', '<', '?>', '<a?>'],
  ],
  // As deeply nested as a body may be.
  [
    'JSON to be shown',
    (text) => indentJson('['.repeat(32) + text.slice(0, 100_000)),
    ['"', '"\\"', '\\', '0,', '{"a":1},'],
  ],
  ['a cell', textCell, ['=', "'", ' ', '+1 ', '+', '1 ', "'="]],
  [
    'an e-invoice in JSON',
    (text) => {
      const body = Buffer.from(JSON.stringify({ document: `<?xml ${text}` }));
      return documentOf('application/json', body);
    },
    ['encoding', 'encoding ', 'encoding="', "encoding='a", ' ', '\\'],
  ],
];

interface Found {
  readonly source: string;
  readonly flags: string;
  readonly places: string[];
}

function findPatterns(): { literals: Map<string, Found>; made: string[] } {
  const literals = new Map<string, Found>();
  const made: string[] = [];
  for (const path of globSync(['src/**/*.{ts,mjs}', 'workers/**/*.ts', 'public/**/*.js'])) {
    const text = readFileSync(path, 'utf8');
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const look = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const found = literals.get(node.text) ?? {
          source: node.text.slice(1, end),
          flags: node.text.slice(end + 1),
          places: [],
        };
        found.places.push(path);
        literals.set(node.text, found);
      } else if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText() === 'RegExp'
      ) {
        made.push(path);
      }
      ts.forEachChild(node, look);
    };
    look(file);
  }
  return { literals, made };
}

/** Repetitions with a higher bound count as endless. */
const few = 300;
const parser = new RegExpParser({ ecmaVersion: 2025 });

/**
 * A pattern takes at most the text's length to the power of this in time, whatever the text: each endless
 * repetition of one sign may end in as many places as the text is long, and so may the match begin unless
 * it is anchored. Endless for repetitions of repetitions, where there may be more ways than that.
 */
function degreeOf({ source, flags }: Found): number {
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const isAnchored = (elements: readonly AST.Element[]): boolean =>
    elements[0]?.type === 'Assertion' && elements[0].kind === 'start' && !flags.includes('m');
  const begins =
    flags.includes('y') || pattern.alternatives.every((one) => isAnchored(one.elements)) ? 0 : 1;
  return begins + most(pattern.alternatives);
}

const most = (alternatives: readonly AST.Alternative[]): number =>
  Math.max(
    ...alternatives.map(({ elements }) => elements.reduce((sum, one) => sum + powerOf(one), 0)),
  );

function powerOf(element: AST.Element): number {
  switch (element.type) {
    case 'Quantifier': {
      const { element: inner, max } = element;
      const within = powerOf(inner);
      const isSign =
        inner.type === 'Character' ||
        inner.type === 'CharacterSet' ||
        inner.type === 'CharacterClass';
      if (max <= 1) return within;
      if (max <= few)
        return isSign || (within === 0 && !varies(inner)) ? 0 : Number.POSITIVE_INFINITY;
      return isSign ? 1 : Number.POSITIVE_INFINITY;
    }
    case 'Group':
    case 'CapturingGroup':
      return most(element.alternatives);
    case 'Assertion':
      return 'alternatives' in element ? most(element.alternatives) : 0;
    case 'Backreference':
      return Number.POSITIVE_INFINITY;
    default:
      return 0;
  }
}

/** Whether it can be read in several ways: bounded repetitions of such are bounded by far too much. */
const varies = (element: AST.Element): boolean => {
  if (element.type === 'Quantifier') return element.min !== element.max || varies(element.element);
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    return (
      element.alternatives.length > 1 ||
      element.alternatives.some((one) => one.elements.some(varies))
    );
  }
  return false;
};

/** Undefined when it is proved to be linear. */
async function doubtOf(found: Found): Promise<string | undefined> {
  if (degreeOf(found) <= 1) return undefined;
  // Its time is the clock's: enough for a machine that is busy with other things.
  const answer = await check(found.source, found.flags, { timeout: 20_000 });
  if (answer.status === 'safe') return undefined;
  return answer.status === 'vulnerable' ? answer.complexity.summary : answer.error.kind;
}

describe('patterns', () => {
  const found = findPatterns();

  test('are found, and those that once took minutes would be too', async () => {
    expect(found.literals.size).toBeGreaterThan(150);
    for (const slow of [
      /^(?:\s*<!--[\s\S]*?-->)*\s*<a/,
      /(a+)+$/,
      /,+$/,
      /^\s*a?\s*$/,
      /^(\d{4})[\s;:]+(\S.*)$/,
    ]) {
      const { source, flags } = slow;
      expect([source, await doubtOf({ source, flags, places: [] })]).not.toEqual([
        source,
        undefined,
      ]);
    }
    for (const { source, flags } of [/^\d{4}-\d\d$/, /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, /^a*$/]) {
      expect([source, await doubtOf({ source, flags, places: [] })]).toEqual([source, undefined]);
    }
  });

  test('take time in proportion to the text', { timeout: 300_000 }, async () => {
    const slow: string[] = [];
    for (const [literal, pattern] of found.literals) {
      const doubt = literal in excused ? undefined : await doubtOf(pattern);
      if (doubt) slow.push(`${literal} at ${pattern.places.join(', ')}: ${doubt}`);
    }
    expect(slow).toEqual([]);
  });

  test('that are excused, or made of texts, are those that stand here', () => {
    expect(Object.keys(excused).filter((literal) => !found.literals.has(literal))).toEqual([]);
    expect(found.made.toSorted()).toEqual(made);
  });
});

describe('what comes from outside', () => {
  const cases = doors.flatMap(([name, feed, units]) =>
    units.map((unit) => [name, unit, feed] as const),
  );

  test.each(cases)('is read as fast as it is long: %s of %j', async (_, unit, feed) => {
    const run = (bytes: number, end: string) => {
      try {
        feed(unit.repeat(Math.ceil(bytes / unit.length)) + end);
      } catch (error) {
        // Refused is well enough; a stack that is full is not.
        if (!(error instanceof AppError)) throw error;
      }
    };
    for (const end of ['', '\u0001', '\n<']) {
      run(1_000, end);
      // A square of it would take minutes, and the machine may be busy.
      await expectCheap(2_000, () => run(1_000_000, end));
    }
  });
});
