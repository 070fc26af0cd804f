/** Every form of the owner, who has everybody's; those of the other roles in test/slow. */
import { testForms } from './every-form.ts';

testForms(['agare']);
