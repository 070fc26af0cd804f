/** Every page once, asked of axe in one window; in both, and with every order and part of its lists, in test/slow. */
import { testPages } from './every-page.ts';

testPages('once');
