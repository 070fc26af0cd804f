/** What no browser sends: where there are rows in every shape, else in every other. */
import { testHostileForms } from '../pages/hostile-forms.ts';

testHostileForms((nth, hasRows) => hasRows || nth % 2 === 0);
