import { expect, test } from "vitest";
import { gatherShares, isShare, splitPassphrase } from "~/domain/authorities/passphrase-shares.server";

const PASSPHRASE = "correct horse, Ünïcode battery";

test("[CAL-01] any of the needed number of shares give the passphrase, and fewer say how many are missing", async () => {
  const shares = await splitPassphrase(PASSPHRASE, 5, 3);
  expect(shares).toHaveLength(5);
  for (const share of shares)
    expect([isShare(share), share]).toEqual([true, expect.stringMatching(/^SHARE(-[0-9A-Z]{1,5})+$/)]);
  for (const chosen of [
    [0, 1, 2],
    [4, 2, 0],
    [1, 3, 4],
  ])
    expect(await gatherShares(chosen.map((at) => shares[at] as string))).toEqual({
      missing: 0,
      passphrase: PASSPHRASE,
    });
  expect(await gatherShares(shares)).toMatchObject({ passphrase: PASSPHRASE }); // more than needed
  for (const [count, missing] of [
    [1, 2],
    [2, 1],
  ])
    expect(await gatherShares(shares.slice(0, count))).toEqual({ missing, passphrase: null });
});

test("[CAL-01] a share can be typed in small letters, with spaces, and with the letters that look like digits", async () => {
  const shares = await splitPassphrase(PASSPHRASE, 2, 2);
  const typed = shares.map((share) => {
    const letters = share.slice("SHARE-".length).replaceAll("0", "o").replaceAll("1", "l");
    return `share-${letters.toLowerCase().replaceAll("-", " ")} `;
  });
  expect(await gatherShares(typed)).toMatchObject({ passphrase: PASSPHRASE });
});

test("[CAL-01] a share that is damaged, given twice, or of another passphrase is refused with the reason", async () => {
  const [one = "", two = ""] = await splitPassphrase(PASSPHRASE, 3, 2);
  const [other = ""] = await splitPassphrase(PASSPHRASE, 3, 2);
  const changed = one.replace(/(?<=^SHARE-.{8})./, (letter) => (letter === "7" ? "8" : "7"));
  await expect(gatherShares([changed])).rejects.toThrow("wrong or missing letter");
  await expect(gatherShares([one.slice(0, -6)])).rejects.toThrow("wrong or missing letter");
  await expect(gatherShares(["SHARE-"])).rejects.toThrow("wrong or missing letter");
  await expect(gatherShares([one, one])).rejects.toThrow("given already");
  await expect(gatherShares([one, other])).rejects.toThrow("belongs to another passphrase");
  expect(await gatherShares([one, two])).toMatchObject({ passphrase: PASSPHRASE });
});

test.each([
  [1, 1],
  [3, 1],
  [2, 3],
  [17, 3],
  [2.5, 2],
  [NaN, 2],
])("[CAL-01] %d shares of which %d are needed are refused", async (shares, needed) => {
  await expect(splitPassphrase(PASSPHRASE, shares, needed)).rejects.toThrow(
    "--shares must be a number from 2 to 16, and --needed one from 2 to --shares.",
  );
});
