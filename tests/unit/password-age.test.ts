import { expect, test } from "vitest";
import { passwordAge } from "~/domain/accounts/accounts.policy";

const NOW = new Date("2026-11-21T10:00:00Z");
const DAY = 86_400_000;

const ageAfter = (milliseconds: number, maxAgeDays = 365, mustChangePassword = false) =>
  passwordAge(
    { passwordChangedAt: new Date(NOW.getTime() - milliseconds).toISOString(), mustChangePassword },
    maxAgeDays,
    NOW,
  );

test("[LOG-04] a password is about to expire in its last 14 days", () => {
  expect(ageAfter(0)).toBe("fresh");
  expect(ageAfter(351 * DAY - 1)).toBe("fresh");
  expect(ageAfter(351 * DAY)).toBe("aboutToExpire");
  expect(ageAfter(365 * DAY - 1)).toBe("aboutToExpire");
});

test("[LOG-05] a password has expired when its days are over, or when it must be changed", () => {
  expect(ageAfter(365 * DAY)).toBe("expired");
  expect(ageAfter(0, 365, true)).toBe("expired");
  expect(ageAfter(0, 0, true)).toBe("expired");
});

test("[LOG-05] with 0 days in the configuration passwords never expire", () => {
  expect(ageAfter(10_000 * DAY, 0)).toBe("fresh");
});
