/** XML as it is written: elements in order, and text that no value can break out of. */

import { withoutTrailing } from '../../lib/digits.ts';
import { absolute } from './money.ts';

export interface XmlNode {
  readonly name: string;
  readonly content: string | readonly XmlNode[];
  readonly attributes: readonly (readonly [string, string])[];
}

export const node = (
  name: string,
  content: XmlNode['content'],
  attributes: XmlNode['attributes'] = [],
): XmlNode => ({ name, content, attributes });

/** A node and what stands in it, each on a line of its own, so many steps in. */
export function xmlLines({ name, content, attributes }: XmlNode, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const tag = [name, ...attributes.map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ');
  if (typeof content === 'string') return [`${indent}<${tag}>${escaped(content)}</${name}>`];
  const within = content.flatMap((one) => xmlLines(one, depth + 1));
  return [`${indent}<${tag}>`, ...within, `${indent}</${name}>`];
}

/** `-12.5` of so many decimals (xsd:decimal), as few of which are written as say it, `least` of them. */
export function decimal(value: bigint, scale: number, least = 0): string {
  const digits = String(absolute(value)).padStart(scale + 1, '0');
  const fraction = withoutTrailing(digits.slice(-scale), '0').padEnd(least, '0');
  const whole = digits.slice(0, -scale);
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** What no XML may hold, however it is written (XML 1.0, 2.2): control characters, halves of pairs, and two more. */
const forbidden = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escaped = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(forbidden, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
