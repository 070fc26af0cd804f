/** Getting in and out, and one's own account. */
import type { Pages } from '../page.ts';
import { registerFirstVisit } from './first-visit.ts';
import { registerInvitation } from './invitation.ts';
import { registerLogin } from './login.ts';
import { registerLoginCode } from './login-code.ts';
import { registerOwnAccountPages } from './own-account.ts';
import { registerSecondFactorPages } from './second-factor.ts';
import { registerWelcome } from './welcome.ts';

export function registerAccountSection(pages: Pages): void {
  registerWelcome(pages);
  registerFirstVisit(pages);
  registerInvitation(pages);
  registerLogin(pages);
  registerLoginCode(pages);
  registerOwnAccountPages(pages);
  registerSecondFactorPages(pages);
}
