import { expect, test } from "vitest";
import { ApiClient } from "../support/api";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal({ RATE_LIMITS: "on" });

const retryAfter = (answer: Response) => Number(answer.headers.get("Retry-After"));

test("[API-06] guessing passwords is stopped after twenty tries of an account, with the time to wait", async () => {
  const { email: username } = await createUser();
  const guess = () => new ApiClient().grant({ grant_type: "password", username, password: "guess" });
  const answers = [];
  for (let tries = 0; tries < 21; tries += 1) answers.push(await guess());
  const last = answers.at(-1) as Response;
  expect(answers.filter(({ status }) => status === 429)).toEqual([last]);
  expect(await last.json()).toMatchObject({ error: "temporarily_unavailable" });
  expect(retryAfter(last)).toBeGreaterThan(0);
  expect(retryAfter(last)).toBeLessThanOrEqual(15 * 60);
});

test("[API-06] asking who has an account is stopped after twenty questions of an address, in the wrapper", async () => {
  const ask = () => new ApiClient().send("UserSecurity/UserWithEmailExist?email=a%40example.com");
  const answers = [];
  for (let tries = 0; tries < 21; tries += 1) answers.push(await ask());
  const last = answers.at(-1) as Response;
  expect(answers.filter(({ status }) => status === 429)).toEqual([last]);
  expect(await last.json()).toMatchObject({ success: false, errorCode: "rate-limit" });
  expect(retryAfter(last)).toBeGreaterThan(0);
});
