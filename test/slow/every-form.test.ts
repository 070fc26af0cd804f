/** Every form of every role but the owner, whose are in test/browser. */
import { roles } from '#src/access/users/roles.ts';
import { testForms } from '../browser/every-form.ts';

testForms(roles.filter((role) => role !== 'agare'));
