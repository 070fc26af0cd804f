/** Settings: company, users, keys, rates and webhooks. */
import type { Pages } from '../page.ts';
import { registerAgencyKeyPages } from './agency-keys.ts';
import { registerApiKeyPage } from './api-key.ts';
import { registerApiKeyPages } from './api-keys.ts';
import { registerCompanyPages } from './company-settings.ts';
import { registerLegacySecretPages } from './legacy-secrets.ts';
import { registerReferenceRatePages } from './reference-rates.ts';
import { registerSettingsPage } from './settings.ts';
import { registerUserPages } from './users.ts';
import { registerWebhookPage } from './webhook.ts';
import { registerWebhookPages } from './webhooks.ts';

export function registerSettingSection(pages: Pages): void {
  registerSettingsPage(pages);
  registerCompanyPages(pages);
  registerUserPages(pages);
  registerApiKeyPages(pages);
  registerApiKeyPage(pages);
  registerAgencyKeyPages(pages);
  registerLegacySecretPages(pages);
  registerReferenceRatePages(pages);
  registerWebhookPages(pages);
  registerWebhookPage(pages);
}
