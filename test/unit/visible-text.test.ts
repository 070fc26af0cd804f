import { expect, test } from 'vitest';
import { isVisible, visibleText } from '#src/domain/basics/visible-text.ts';

const code = String.fromCodePoint;

test.each([
  ['plain words', 'Kaffe åäö 1 234,50 kr – “ok” 🙂', 'Kaffe åäö 1 234,50 kr – “ok” 🙂'],
  ['colours of a terminal', `${code(27)}[31mred${code(27)}[0m`, 'red'],
  ['a title of a terminal', `a${code(27)}]0;evil${code(7)}b`, 'ab'],
  ['zero width', `ig${code(0x200b)}no${code(0x200d)}re${code(0xfeff)}`, 'ignore'],
  ['marks that turn the direction', `abc${code(0x202e)}fed${code(0x2066)}`, 'abcfed'],
  ['tags that only programs read', `hi${code(0xe0041, 0xe0042)}`, 'hi'],
  ['selectors and fillers', `a${code(0xfe0f)}b${code(0x3164)}c${code(0x2800)}`, 'abc'],
  ['controls', `a${code(0)}b${code(8)}c${code(0x9b)}d`, 'abcd'],
  ['separators of lines', `a${code(0x2028)}b`, 'ab'],
  ['half of a pair', `a${code(0xd83d)}b`, 'ab'],
  ['lines', 'one\r\ntwo\tthree', 'one\ntwo three'],
])('%s', (_, given, seen) => {
  expect(visibleText(given)).toBe(seen);
  expect(visibleText(seen)).toBe(seen);
  expect(isVisible(given)).toBe(given === seen && !given.includes('\n'));
});

test('a line feed is seen only where lines may be', () => {
  expect([isVisible('a\nb'), isVisible('a\nb', { lines: true })]).toEqual([false, true]);
});
