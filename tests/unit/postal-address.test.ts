import countries from "i18n-iso-countries";
import { describe, expect, test } from "vitest";
import { addressLines, addressText, CODE_BEFORE_CITY } from "~/lib/postal-address";

const idOf = (country: string) => Number(countries.alpha2ToNumeric(countries.getAlpha2Code(country, "en") ?? ""));
const address = (country: string, city: string, postalCode: string) => ({
  addressLine1: "1 Example Street",
  city,
  postalCode,
  country,
  countryId: idOf(country),
});

describe("postal addresses", () => {
  test.each([
    ["Germany", "Zwickau", "08056", "08056 Zwickau"],
    ["Germany", "Köln", "50667", "50667 Köln"],
    ["France", "Sochaux", "25600", "25600 Sochaux"],
    ["Netherlands", "Helmond", "5708 HZ", "5708 HZ Helmond"],
    ["Switzerland", "Winterthur", "8400", "8400 Winterthur"],
    ["United Kingdom", "Coventry", "CV1 1AA", "Coventry CV1 1AA"],
    ["Ireland", "Cork", "T12 X2YZ", "Cork T12 X2YZ"],
    ["United States of America", "Detroit", "48201", "Detroit 48201"],
  ])("[SAL-05] [MAN-02] %s: %s and %s are written '%s'", (country, city, code, line) => {
    expect(addressLines(address(country, city, code))).toEqual(["1 Example Street", line, country]);
  });

  test("[MAN-02] empty lines are omitted, and the region follows the city", () => {
    const lines = { addressLine1: " Werk 2 ", addressLine2: "", addressLine3: "Tor 4", region: "Sachsen" };
    expect(addressText({ ...address("Germany", "Zwickau ", "08056"), ...lines })).toBe(
      "Werk 2, Tor 4, 08056 Zwickau, Sachsen, Germany",
    );
    const unknown = { ...address("Germany", "Zwickau", "08056"), countryId: null, country: "" };
    expect(addressText(unknown)).toBe("1 Example Street, Zwickau 08056");
  });

  test("[SAL-05] the countries by number are the countries by letters", () => {
    for (const [iso, id] of Object.entries(CODE_BEFORE_CITY))
      expect([iso, Number(countries.alpha2ToNumeric(iso))]).toEqual([iso, id]);
  });
});
