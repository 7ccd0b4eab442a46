import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkVatNumber } from "~/domain/reference/vat.service.server";
import { usePortal } from "../support/portal";
import { setVariables } from "../support/variables";
import { HMRC_APPLICATION, HMRC_NUMBERS, useVatServer } from "../support/vat-server";

const vat = useVatServer();
usePortal({ ...HMRC_APPLICATION, HMRC_TOKEN: "" });

const GB = { iso: "GB", euMember: false };
const check = () => checkVatNumber(`GB${HMRC_NUMBERS[0]}`, GB);
const asked = () => vat.asked.map(({ path }) => (path === "/oauth/token" ? "token" : "number"));

const HOUR = 3_600_000;

let now = Date.now();
/** Moves the clock forward, so that the token of an earlier test has expired. */
beforeEach(() => {
  now += 10 * HOUR;
  vi.useFakeTimers({ toFake: ["Date"], now });
});
afterEach(() => {
  vi.useRealTimers();
  setVariables(HMRC_APPLICATION);
});
const later = (ms: number) => vi.setSystemTime(now + ms);

describe("HMRC's access token", () => {
  test("[CRD-03] comes from the token endpoint by a form with id and secret", async () => {
    expect(await check()).toBe("valid");
    expect(vat.asked[0]).toMatchObject({
      method: "POST",
      path: "/oauth/token",
      body: {
        grant_type: "client_credentials",
        client_id: HMRC_APPLICATION.HMRC_CLIENT_ID,
        client_secret: HMRC_APPLICATION.HMRC_CLIENT_SECRET,
      },
    });
    expect(asked()).toEqual(["token", "number"]);
  });

  test("[CRD-03] is cached until a minute before its expiry", async () => {
    await check();
    later(4 * HOUR - 60_001);
    await check();
    expect(asked()).toEqual(["token", "number", "number"]);
    later(4 * HOUR - 60_000);
    expect(await check()).toBe("valid");
    expect(asked()).toEqual(["token", "number", "number", "token", "number"]);
  });

  test("[CRD-03] is used once when it is valid for a minute only", async () => {
    vat.tokenSeconds = 60;
    await check();
    await check();
    expect(asked()).toEqual(["token", "number", "token", "number"]);
  });

  test("[CRD-03] is requested once for all that wait for it", async () => {
    expect(await Promise.all(Array.from({ length: 8 }, check))).toEqual(Array.from({ length: 8 }, () => "valid"));
    expect(asked().filter((what) => what === "token")).toHaveLength(1);
  });

  test("[CRD-03] is renewed once when HMRC no longer accepts it", async () => {
    await check();
    vat.tokens.clear();
    expect(await check()).toBe("valid");
    expect(asked()).toEqual(["token", "number", "number", "token", "number"]);

    vat.tokens.clear();
    vat.asked.length = 0;
    expect(await Promise.all([check(), check(), check()])).toEqual(["valid", "valid", "valid"]);
    expect(asked().filter((what) => what === "token")).toHaveLength(1);
  });

  test("[CRD-03] when refused although new gives no verdict and is not requested repeatedly", async () => {
    vat.meanwhile = () => Promise.resolve(vat.tokens.clear());
    expect(await check()).toBe("serviceError");
    expect(asked()).toEqual(["token", "number", "token", "number"]);
  });

  test("[CRD-03] when not granted gives no verdict, and the next check tries again", async () => {
    setVariables({ HMRC_CLIENT_SECRET: "another one" });
    expect(await check()).toBe("serviceError");
    setVariables(HMRC_APPLICATION);
    for (const mode of ["no-token", "broken-json", "maintenance", "too-many-requests"] as const) {
      vat.mode = mode;
      expect(await check()).toBe("serviceError");
    }
    expect(asked()).toEqual(Array.from({ length: 5 }, () => "token"));
    vat.mode = "answers";
    expect(await check()).toBe("valid");
  });

  test("[CRD-03] when not answered is given up after 5 seconds", async () => {
    vat.mode = "silent";
    expect(await check()).toBe("serviceError");
    expect(asked()).toEqual(["token"]);
  });
});
