import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { listLimits, tryToConsume } from "~/domain/limits/tries.server";
import { ApiClient, newProgram, unwrap } from "../support/api";
import { createUser } from "../support/factories";
import { description } from "../support/openapi";
import { usePortal } from "../support/portal";

usePortal({ RATE_LIMITS: "on" });

const retryAfter = (answer: Response) => Number(answer.headers.get("Retry-After"));

test("[API-06] guessing passwords of an account is stopped after twenty tries from one network, with the time to wait", async () => {
  const { email: username } = await createUser();
  const guess = () => new ApiClient().grant({ grant_type: "password", username, password: "guess" });
  const answers = [];
  for (let tries = 0; tries < 21; tries += 1) answers.push(await guess());
  const last = answers.at(-1) as Response;
  expect(answers.filter(({ status }) => status === 429)).toEqual([last]);
  const { error, error_description: text } = (await last.json()) as Record<string, string>;
  expect(error).toBe("temporarily_unavailable");
  expect(text).toMatch(
    /^Too many attempts: at most 20 logins to one account from one network within 15 minutes\. Please try again in \d+ (minute|second)s?\.$/,
  );
  expect(retryAfter(last)).toBeGreaterThan(0);
  expect(retryAfter(last)).toBeLessThanOrEqual(15 * 60);
});

test("[API-06] asking whether an account exists is stopped after twenty questions of an address, in the wrapper", async () => {
  const ask = () => new ApiClient().send("UserSecurity/UserWithEmailExist?email=a%40example.com");
  const answers = [];
  for (let tries = 0; tries < 21; tries += 1) answers.push(await ask());
  const last = answers.at(-1) as Response;
  expect(answers.filter(({ status }) => status === 429)).toEqual([last]);
  const { text, ...wrapped } = await unwrap(last.clone());
  expect(wrapped).toMatchObject({ status: 429, success: false, code: "rate-limit" });
  expect(text).toMatch(
    /^Too many attempts: at most 20 registrations from one network within 60 minutes\. Please try again in \d+ minutes?\.$/,
  );
  expect(retryAfter(last)).toBeGreaterThan(0);
});

test("[API-06] calls with unknown tokens are stopped after 60 a minute from one network; those with a valid one continue", async () => {
  const { client } = await newProgram();
  const network = { "x-marque-address": "192.0.2.77" };
  const ask = (token: string) =>
    new ApiClient(token).send("UserRegistration/GetUserDetails", { headers: { ...network } });
  const statuses = [];
  for (let calls = 0; calls < 62; calls += 1) statuses.push((await ask(`guess${calls}`)).status);
  expect(statuses).toEqual([...Array<number>(60).fill(401), 429, 429]);
  expect((await ask("")).status).toBe(429);
  expect((await ask(client.token)).status).toBe(200);
  const file = "CertificateRepository/DownloadCertificatePolicy";
  expect((await new ApiClient("guess").send(file, { headers: { ...network } })).status).toBe(200);
});

test("[API-05] every limit is in the description and in the operations manual", async () => {
  const manual = await readFile("docs/operations.md", "utf8");
  const { description: text } = (description() as unknown as { info: { description: string } }).info;
  for (const row of listLimits()) {
    expect(text).toContain(`\n${row.join(" | ")}\n`);
    expect(manual.replace(/ +/g, " ")).toContain(`\n| ${row.join(" | ")} |\n`);
  }
});

test("[API-06] calls of an account are stopped after 1200 a minute, with the seconds to wait", async () => {
  const { user, client } = await newProgram();
  for (let calls = 0; calls < 1200; calls += 1) await tryToConsume("api-account", user.id);
  const { status, text } = await client.get("UserRegistration/GetUserDetails");
  expect(status).toBe(429);
  expect(text).toMatch(
    /^Too many attempts: at most 1200 calls by one account within 1 minute\. Please try again in \d+ seconds?\.$/,
  );
});
