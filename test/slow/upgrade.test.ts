/** Ten upgrades, one after the other, of a service that goes on. */
import { testUpgrades } from '../http/upgrade.ts';

testUpgrades(10);
