import { describe, expect, test } from "vitest";
import { networkOf } from "~/lib/networks.server";
import { hasMarkup, stripMarkup } from "~/lib/plain-text.server";
import * as login from "~/routes/_public.login";
import * as register from "~/routes/_public.register/route";
import * as certificates from "~/routes/home.certificates";
import * as codes from "~/routes/home.codes/route";
import * as salesOrders from "~/routes/home.sale-orders/route";
import * as userPage from "~/routes/home.users.$id/route";
import { createAdmin } from "../support/factories";
import { usePortal } from "../support/portal";
import { anonymous, errorsOf, run, signedInAs } from "../support/visitor";

usePortal({ RATE_LIMITS: "on" });

const statusFor = async (fields: Record<string, string>) => {
  const visitor = await anonymous();
  return (await run(login.action, await visitor.post("/login", fields))).status;
};

describe("forms that no page of the portal sends", () => {
  test.each([
    "a[20000000]",
    "a[99999999]",
    "email[0]",
    "__proto__",
    "__proto__.polluted",
    "constructor.prototype.polluted",
    "companyAddress.__proto__.x",
    "email.x.y.z",
    `${"a.".repeat(5000)}a`,
    "a b",
    "",
    "x".repeat(100),
  ])("[GEN-03] a field named '%s' is refused before it is processed", async (name) => {
    expect(await statusFor({ email: "a@example.com", password: "x", [name]: "1" })).toBe(400);
  });

  test("[GEN-03] a name used as both field and group, and too many fields, are refused", async () => {
    expect(await statusFor({ email: "a@example.com", "email.x": "1" })).toBe(400);
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, "1"]));
    expect(await statusFor(many)).toBe(400);
  });

  test("[GEN-03] unclosed markup is refused without processing it for long", async () => {
    expect(await statusFor({ redirectTo: "<!--".repeat(1000) })).toBe(400);
    expect(await statusFor({ redirectTo: `<${"a".repeat(20_000)}` })).toBe(413);
    expect(await statusFor({ email: "a".repeat(300_000) })).toBe(413);
  });

  test.each(["<b></b>", " <br> <!-- x -->", "<script>alert(1)</script>", "<a href='<br/>!"])(
    "[GEN-03] '%s' is refused as markup alone and shown again as typed",
    async (typed) => {
      const visitor = await anonymous();
      const answer = await run(register.action, await visitor.post("/register", { firstName: typed }));
      const { errors, values } = await errorsOf(answer);
      expect(errors.firstName).toBe("Markup is not allowed.");
      expect(String(values.firstName).replace("\u0001", "")).toBe(typed);
    },
  );

  test("[GEN-03] the time to remove nested markup grows linearly with its length", () => {
    for (const text of ["<".repeat(8000), "<a".repeat(4000), "</".repeat(4000)]) expect(stripMarkup(text)).toBe(text);
    const nested = ["<a>".repeat(2600), `${"<".repeat(2600)}${"b>".repeat(2600)}`, `${"<a".repeat(4000)}>`];
    for (const text of nested) expect(hasMarkup(stripMarkup(text))).toBe(false);
  }, 10_000);

  test("[GEN-03] a text that cannot have been typed is not sent back", async () => {
    const visitor = await anonymous();
    const fields = { firstName: "Anna", company: "x".repeat(50_000) };
    const { errors, values } = await errorsOf(await run(register.action, await visitor.post("/register", fields)));
    expect(errors.company).toBe("Entered value is not valid.");
    expect(values).toEqual({ firstName: "Anna" });
  });
});

test.each([
  ["/home/users/1", userPage.action],
  ["/home/certificates", certificates.action],
  ["/home/codes", codes.action],
  ["/home/sale-orders", salesOrders.action],
])(
  "[GEN-02] %s: a button that the page does not have is refused with a message of the portal",
  async (path, action) => {
    const staff = await signedInAs(await createAdmin());
    for (const intent of ["explode", undefined]) {
      const request = await staff.post(path, { intent });
      const answer = await run(action, request, { id: "1" });
      const text = await answer.text();
      expect(text).not.toMatch(/Expected|received|Required"|discriminator|enum/);
      if (intent) expect([answer.status, text]).toEqual([422, expect.stringContaining("not part of the collection")]);
    }
  },
);

test("[LOG-01] the own form of a page is accepted with its form id", async () => {
  expect(await statusFor({ __rvfInternalFormId: "login", email: "", password: "" })).toBe(422);
});

describe("failed tries", () => {
  test("[LOG-03] are counted for the account, however its name is written", async () => {
    const spellings = [
      "nobody@example.com",
      " nobody@example.com",
      "NOBODY@example.com\t",
      "nobody@example.com\u00a0",
      "nobody@example.com\u0001",
    ];
    const statuses: number[] = [];
    for (let count = 0; count < 22; count += 1)
      statuses.push(await statusFor({ email: spellings[count % spellings.length] ?? "", password: "wrong" }));
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 422));
    expect(statuses.slice(20)).toEqual([429, 429]);
  });

  test("[LOG-03] are counted for a whole IPv6 network", () => {
    expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2");
    expect(networkOf("2001:db8::1")).toBe("2001:db8:0:0");
    expect(networkOf("::1")).toBe("0:0:0:0");
    expect(networkOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
    expect(networkOf("192.0.2.7")).toBe("192.0.2.7");
  });
});
