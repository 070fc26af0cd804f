/** What no browser sends, in one shape for each form; in all of them in test/slow. */
import { shapeCount, testHostileForms } from './hostile-forms.ts';

testHostileForms((nth) => nth % shapeCount === 0);
