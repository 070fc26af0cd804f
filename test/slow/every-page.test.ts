/** Every page asked of axe in both windows: with every order and part of its lists, and in English. */
import { describe } from 'vitest';
import { testPages } from '../browser/every-page.ts';

describe('in Swedish', () => testPages('everywhere'));
describe('in English', () => testPages('everywhere', 'en'));
