/** What is said in Swedish by code and templates, and where: for the test that it is in the catalogue of English. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript-5';
import { wordsIn } from '#src/render/template-words.ts';
import { root } from './house.ts';

export interface Said {
  /** `src/pages/orders/order.ts:95`. */
  readonly where: string;
  readonly words: string;
  /** What one Swedish word of several English ones is looked up by. */
  readonly context?: string | undefined;
  /** Where nothing is running yet, so that no language is chosen. */
  readonly isTooEarly?: boolean;
}

export interface Code {
  /** By `say` and `sayOf`. */
  readonly said: readonly Said[];
  /** Swedish that stands by itself, as sentences and headings do. */
  readonly bare: readonly Said[];
  /** Every text there is. */
  readonly texts: ReadonlySet<string>;
}

const value = /\{\d+\}/g;

/** A sentence, a heading or a part of either; addresses, names of fields and what else programs read is not. */
const isSentence = (text: string): boolean =>
  /\p{L}{2}/u.test(text.replaceAll(value, '')) &&
  !/^[/#?.]|^https?:|^--?\w/.test(text) &&
  (/[åäöÅÄÖ]/.test(text) ||
    /^[A-ZÅÄÖ]-?[a-zåäö]/.test(text) ||
    /[\p{L}.,] \p{L}/u.test(text.replaceAll(value, 'x')));

type Written = ts.StringLiteralLike | ts.TemplateExpression;
const isWritten = (node: ts.Node): node is Written =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

const wordsOf = (node: Written): string =>
  ts.isTemplateExpression(node)
    ? node.head.text +
      node.templateSpans.map(({ literal }, place) => `{${place}}${literal.text}`).join('')
    : node.text;

/** What nobody reads as words: imports, types, names, what is compared, and what says that the program is wrong. */
function isForMachines(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) ||
    (ts.isNewExpression(parent) && parent.expression.getText() === 'Error')
  );
}

/** What is said for programs' authors and at the command line, which is Swedish. */
const isForOthers = (node: ts.Node): boolean =>
  ts.isPropertyAssignment(node) && ['api', 'command'].includes(node.name.getText());

/** By `say`, by `sayOf` a place, or as it stands by `translated`. */
const tagOf = (node: ts.Node): { context: string | undefined } | undefined => {
  const { parent } = node;
  const of = ts.isBinaryExpression(parent) ? parent.parent : parent;
  if (ts.isCallExpression(of) && of.expression.getText() === 'translated') {
    return { context: undefined };
  }
  if (!ts.isTaggedTemplateExpression(node.parent)) return undefined;
  const [, context] = /^say(?:Of\('(\w[\w-]*)'\))?$/.exec(node.parent.tag.getText()) ?? ['', ''];
  return context === '' ? undefined : { context };
};

export function readCode(path: string): Code {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(root, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const said: Said[] = [];
  const bare: Said[] = [];
  const texts = new Set<string>();
  const visit = (node: ts.Node, isRunning: boolean, isHeard: boolean): void => {
    const runs = isRunning || ts.isFunctionLike(node);
    const hears = isHeard && !isForOthers(node);
    if (isWritten(node) && !isForMachines(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const one = { where: `${path}:${line}`, words: wordsOf(node) };
      const tag = tagOf(node);
      texts.add(one.words);
      if (tag) said.push({ ...one, ...tag, isTooEarly: !runs });
      else if (hears && isSentence(one.words)) bare.push(one);
    }
    ts.forEachChild(node, (child) => visit(child, runs, hears));
  };
  visit(source, false, true);
  return { said, bare, texts };
}

/** The words of a template and of the partials that it is made of, each by its own name. */
export function readTemplate(path: string, seen = new Set<string>()): Said[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const source = readFileSync(join(root, path), 'utf8');
  const context = basename(path, '.hbs');
  const own = wordsIn(source).map((words) => ({ where: path, words, context }));
  const partials = [...source.matchAll(/\{\{#?>\s*([\w-]+)/g)].map(([, name]) => name);
  return [
    ...own,
    ...partials.flatMap((name) => readTemplate(`templates/partials/${name}.hbs`, seen)),
  ];
}
