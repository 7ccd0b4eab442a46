import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { checkVatNumber } from "~/domain/reference/vat.service.server";
import { getEnv } from "~/lib/env.server";
import * as complete from "~/routes/_public.complete-registration";
import { getConnection, getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { setVariables } from "../support/variables";
import { HMRC_NUMBERS, useVatServer, VIES_NUMBERS } from "../support/vat-server";
import { run, signedInAs } from "../support/visitor";

const vat = useVatServer();
usePortal();

const eu = (iso: string) => ({ iso, euMember: true });
const DE = eu("DE");
const GB = { iso: "GB", euMember: false };

/** Runs `work` with other environment variables, as in a process that was started with them. */
async function startedWith<T>(change: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const before = Object.fromEntries(Object.keys(change).map((name) => [name, process.env[name] ?? ""]));
  setVariables(change);
  try {
    return await work();
  } finally {
    setVariables(before);
  }
}

describe("VIES", () => {
  const verdicts = Object.entries(VIES_NUMBERS).map(([number, answer]): [string, string | boolean, string] => {
    if (typeof answer === "boolean") return [number, answer, answer ? "valid" : "invalid"];
    return [number, answer, answer === "INVALID_INPUT" ? "invalid" : "serviceError"];
  });

  test.each(verdicts)("[CRD-03] answers for test number %s (%s): %s", async (number, _answer, verdict) => {
    expect(await checkVatNumber(`DE${number}`, DE)).toBe(verdict);
  });

  test("[CRD-03] gives no verdict for a number that its test service does not know", async () => {
    expect(await checkVatNumber("DE999", DE)).toBe("serviceError");
  });

  test.each([
    [eu("GR"), "el 100", "EL"],
    [GB, "XI100", "XI"],
    [DE, " de 1 00 ", "DE"],
  ])("[CRD-03] is asked for %o and '%s' under %s", async (country, number, countryCode) => {
    expect(await checkVatNumber(number, country)).toBe("valid");
    expect(vat.asked).toEqual([
      {
        method: "POST",
        path: "/taxation_customs/vies/rest-api/check-vat-number",
        accept: "application/json",
        body: { countryCode, vatNumber: "100" },
      },
    ]);
  });
});

describe("HMRC", () => {
  test.each(HMRC_NUMBERS)("[CRD-03] finds sandbox number %s valid", async (number) => {
    expect(await checkVatNumber(`GB${number}`, GB)).toBe("valid");
    expect(vat.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /organisations/vat/check-vat-number/lookup/${number}`,
    ]);
  });

  test.each([
    ["GB123456789", "a number that nobody has"],
    ["GB12345678", "a number of 8 digits"],
    ["GB12345678A", "a number with a letter"],
  ])("[CRD-03] finds %s invalid: %s", async (number) => {
    expect(await checkVatNumber(number, GB)).toBe("invalid");
  });

  test("[CRD-03] gives no verdict for a token that is not accepted or a wrong address", async () => {
    const wrongToken = { HMRC_TOKEN: "another one" };
    expect(await startedWith(wrongToken, () => checkVatNumber("GB123456789", GB))).toBe("serviceError");
    const wrongBase = { HMRC_URL: `${getEnv().hmrc?.url}/nowhere` };
    expect(await startedWith(wrongBase, () => checkVatNumber("GB123456789", GB))).toBe("serviceError");
  });
});

describe("a VAT service that fails", () => {
  const modes = ["broken-json", "maintenance", "too-many-requests", "other-fields"] as const;

  test.each(modes)("[CRD-03] with %s gives no verdict, for VIES and for HMRC", async (mode) => {
    vat.mode = mode;
    expect(await checkVatNumber("DE100", DE)).toBe("serviceError");
    expect(await checkVatNumber(`GB${HMRC_NUMBERS[0]}`, GB)).toBe("serviceError");
    expect(vat.asked).toHaveLength(2);
  });

  test("[CRD-03] by not answering, or stopping in the middle, is given up after 5 seconds", async () => {
    const ask = (mode: typeof vat.mode) => {
      vat.mode = mode;
      return checkVatNumber("DE100", DE);
    };
    const silent = ask("silent");
    await expect.poll(() => vat.asked.length).toBe(1);
    const stalled = ask("stalls");
    expect(await Promise.all([silent, stalled])).toEqual(["serviceError", "serviceError"]);
  });

  test("[CRD-03] by redirecting is not followed to another address", async () => {
    vat.mode = "redirects";
    expect(await checkVatNumber("DE100", DE)).toBe("serviceError");
    expect(vat.asked).toHaveLength(1);
  });

  test("[CRD-03] because it is missing or not configured gives no verdict", async () => {
    const closed = { VAT_SERVICE_URL: "http://127.0.0.1:1", HMRC_URL: "http://127.0.0.1:1" };
    const unset = { VAT_SERVICE_URL: "", HMRC_URL: "" };
    for (const services of [closed, unset])
      expect(
        await startedWith(services, () =>
          Promise.all([checkVatNumber("DE100", DE), checkVatNumber("GB123456789", GB)]),
        ),
      ).toEqual(["serviceError", "serviceError"]);
    expect(vat.asked).toEqual([]);
  });
});

describe("the check before any service is asked", () => {
  test.each([
    ["", DE, "invalid"],
    ["DE1", DE, "invalid"],
    ["FR100", DE, "invalid"],
    ["GR100", eu("GR"), "invalid"],
    [`DE${"1".repeat(16)}`, DE, "invalid"],
    ["CHE-123.456.789", { iso: "CH", euMember: false }, "invalid"],
    ["CHE123.456.789", { iso: "CH", euMember: false }, "valid"],
    ["DE100", { iso: "US", euMember: false }, "invalid"],
    ["US12", { iso: "US", euMember: false }, "valid"],
  ])("[CRD-03] finds for '%s' in %o: %s", async (number, country, verdict) => {
    expect(await checkVatNumber(number, country)).toBe(verdict);
    expect(vat.asked).toEqual([]);
  });
});

describe("the VAT check of complete registration", () => {
  const submit = async (vatNumber: string) => {
    const user = await createUser({ detailsMissing: true });
    const visitor = await signedInAs(user);
    const fields = {
      companyRegistrationNumber: "HRB 12345",
      "companyAddress.addressLine1": "1 Mill Lane",
      "companyAddress.city": "Köln",
      "companyAddress.postalCode": "50667",
      "companyAddress.country": "276",
      useCompanyAddress: "on",
      vatNumber,
    };
    const response = await run(complete.action, await visitor.post("/complete-registration", fields));
    return { status: response.status, profile: await getProfile(user.id) };
  };

  test("[CRD-03] stops for an invalid number; a failed service lets the save continue, unchecked", async () => {
    for (const number of ["DE200", "DE201"]) {
      const { status, profile } = await submit(number);
      expect([status, profile.vatNumber, profile.companyRegistrationNumber]).toEqual([422, null, null]);
    }
    expect(await submit("DE100")).toMatchObject({ status: 303, profile: { vatNumberChecked: true } });
    for (const number of ["DE301", "DE302", "DE600"])
      expect(await submit(number)).toMatchObject({
        status: 303,
        profile: { vatNumber: number, vatNumberChecked: false },
      });
  });

  test("[CRD-03] asks the service while no transaction is open", async () => {
    let open: number | undefined;
    vat.meanwhile = async () => {
      // On SQLite this would wait for ever beside an open transaction.
      await inTransaction((trx) => trx.updateTable("countries").set({ name: "Germany" }).where("id", "=", 0).execute());
      open = await transactionsLeftOpen();
    };
    expect(await submit("DE100")).toMatchObject({ status: 303, profile: { vatNumberChecked: true } });
    expect(open).toBe(0);
  });
});

async function transactionsLeftOpen(): Promise<number> {
  if (getConnection().dialect === "sqlite") return 0;
  const { rows } = await sql<{ open: number }>`select count(*) as open from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(getDb());
  return rows[0]?.open ?? Number.NaN;
}
