/**
 * E-invoices that somebody has changed: every one is judged in whole sentences or refused, whatever became of it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateEInvoice } from '#src/peppol/validate.ts';
import { readXml } from '#src/peppol/xml/read.ts';
import type { XmlElement } from '#src/peppol/xml/tree.ts';
import { cleanDocument } from './peppol-invoice.ts';

/** A tree that can be changed and written again. */
interface Node {
  name: string;
  attributes: { name: string; value: string }[];
  children: Node[];
  text: string;
}

const copy = (e: XmlElement): Node => ({
  name: e.name,
  attributes: e.attributes.map((attribute) => ({ ...attribute })),
  children: e.children.map(copy),
  text: e.text,
});

const escaped = (text: string): string =>
  text.replace(/[&<>"\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);

function write({ name, attributes, children, text }: Node): string {
  const list = attributes.map((one) => ` ${one.name}="${escaped(one.value)}"`).join('');
  const inside = children.length > 0 ? children.map(write).join('') : escaped(text);
  return `<${name}${list}>${inside}</${name}>`;
}

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';

function document(root: Node): Buffer {
  const declarations = ` xmlns="${ubl}:${root.name}-2" xmlns:cac="${ubl}:CommonAggregateComponents-2" xmlns:cbc="${ubl}:CommonBasicComponents-2"`;
  return Buffer.from(write(root).replace(root.name, root.name + declarations));
}

/** Every node but the root, with its parent. */
function below(parent: Node): { node: Node; parent: Node }[] {
  return parent.children.flatMap((node) => [{ node, parent }, ...below(node)]);
}

const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '1.005',
  'NaN',
  'INF',
  '9'.repeat(200),
  'x',
  'SE',
  'DE',
  'DK',
  'NO',
  'IS',
  'IT',
  'NL',
  'EL123',
  'S',
  'O',
  'AE',
  'VAT',
  'true',
  '2026-02-30',
  '2026-01-01Z',
  '-2026-01-01',
  '#',
  '##',
  '|||||',
  '\ud83d\ude00',
  '\u00a0',
  '59',
  '58',
  '130',
];

const mutations: readonly ((node: Node, parent: Node, text: string) => void)[] = [
  (node, parent) => void parent.children.splice(parent.children.indexOf(node), 1),
  (node, parent) => void parent.children.push(structuredClone(node)),
  (_, parent) => void parent.children.reverse(),
  (node, _, text) => {
    node.children = [];
    node.text = text;
  },
  (node, _, text) => {
    node.attributes = [{ name: 'schemeID', value: text }];
  },
  (node) => {
    node.attributes = [];
  },
  (node) => void node.children.push(structuredClone(node)),
  (node, parent) => {
    node.name = parent.name;
  },
];

/** `isTried` says which changes each node in turn is put through; `numRuns` how often several are made at random. */
export function testMutations(numRuns: number, isTried: (nth: number) => boolean): void {
  describe.each(['Invoice', 'CreditNote'] as const)('a changed %s', (kind) => {
    const clean = copy(readXml(cleanDocument(2, kind)).root);
    const count = below(clean).length;

    function judged(change: (root: Node) => void): readonly { rule: string; message: string }[] {
      const root = structuredClone(clean);
      change(root);
      return validateEInvoice(document(root)).findings;
    }

    it('is clean when written again', () => {
      expect(judged(() => {})).toEqual([]);
    });

    it('is judged whatever single node is dropped, doubled, moved or changed', () => {
      for (let index = 0; index < count; index += 1) {
        for (const mutate of mutations.filter((_, nth) => isTried(index + nth))) {
          const findings = judged((root) => {
            const place = below(root)[index];
            if (place) mutate(place.node, place.parent, texts[index % texts.length] ?? '');
          });
          for (const { message } of findings) expect(message).toMatch(/^[A-ZÅÄÖac].+\.$/s);
        }
      }
    });

    it('is judged quickly whatever several nodes become', () => {
      const change = fc.tuple(
        fc.nat(count - 1),
        fc.nat(mutations.length - 1),
        fc.constantFrom(...texts),
      );
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
          const start = performance.now();
          judged((root) => {
            for (const [index, kind_of_change, text] of changes) {
              const places = below(root);
              const place = places[index % Math.max(1, places.length)];
              if (place) mutations[kind_of_change]?.(place.node, place.parent, text);
            }
          });
          expect(performance.now() - start).toBeLessThan(3000);
        }),
        { numRuns },
      );
    });

    it('is refused or judged wherever its text is cut, and whatever byte is changed', () => {
      const bytes = Buffer.from(cleanDocument(1, kind).trimEnd());
      fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
          expect(validateEInvoice(bytes.subarray(0, at)).findings).toHaveLength(1);
          const spoilt = Buffer.from(bytes);
          spoilt[at] = byte;
          expect(Array.isArray(validateEInvoice(spoilt).findings)).toBe(true);
        }),
        { numRuns },
      );
    });
  });
}
