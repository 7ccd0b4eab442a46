import { describe, expect, test } from "vitest";
import {
  CERTIFICATE_TYPES,
  choiceProblem,
  ENCODINGS,
  encodingsOf,
  EXTENSIONS,
  extensionsOf,
  possibleChoice,
  readDownloadChoice,
} from "~/domain/certificates/catalogue/download-choice";
import { fileNameOf } from "~/domain/certificates/catalogue/file-name";
import { contentDisposition } from "~/http/files.server";

const read = (query: string) => readDownloadChoice(new URLSearchParams(query));

describe("[CER-07] the formats of a download", () => {
  test.each(["", "certificateType=x&encoding=y&fileExtension=z"])("have defaults for '%s'", (query) => {
    expect(read(query)).toEqual({ certificateType: "own", encoding: "PEM", fileExtension: "CER" });
  });

  test.each([
    ["PEM", "CER", null],
    ["PEM", "PEM", null],
    ["DER", "CER", null],
    ["DER", "DER", null],
    ["PEM", "DER", "The extension DER does not match the encoding PEM. Choose CER or PEM."],
    ["DER", "PEM", "The extension PEM does not match the encoding DER. Choose CER or DER."],
  ])("%s with %s is possible: %s", (encoding, fileExtension, expected) => {
    const choice = read(`encoding=${encoding}&fileExtension=${fileExtension}`);
    expect(choiceProblem(choice)?.message ?? null).toBe(expected);
  });

  test("a chain is always PEM", () => {
    expect(choiceProblem(read("certificateType=chain&encoding=DER"))?.field).toBe("encoding");
    expect(choiceProblem(read("certificateType=chain"))).toBeNull();
  });

  test("a possible choice has no problem and an impossible one has one", () => {
    for (const { value: certificateType } of CERTIFICATE_TYPES)
      for (const encoding of ENCODINGS)
        for (const fileExtension of EXTENSIONS) {
          const choice = { certificateType, encoding, fileExtension };
          const isNamed = certificateType === "bundle" || extensionsOf(choice).includes(fileExtension);
          const isPossible = encodingsOf(choice).includes(encoding) && isNamed;
          expect([choice, choiceProblem(choice) === null]).toEqual([choice, isPossible]);
          const possible = possibleChoice(choice);
          expect([choice, choiceProblem(possible)]).toEqual([choice, null]);
          if (isPossible && certificateType !== "bundle") expect(possible).toEqual(choice);
        }
  });

  test.each([
    ["certificateType=chain&encoding=DER&fileExtension=DER", "PEM", "CER"],
    ["certificateType=chain&encoding=DER&fileExtension=PEM", "PEM", "PEM"],
    ["encoding=DER&fileExtension=PEM", "DER", "CER"],
  ])("the closest possible choice to %s is %s with %s", (query, encoding, fileExtension) => {
    expect(possibleChoice(read(query))).toMatchObject({ encoding, fileExtension });
  });

  test.each([
    ["oftp2.plant-koeln.example", "oftp2.plant-koeln.example-7"],
    ['Köln "EDI"/..\\x', "Köln_EDI_.._x-7"],
    ["../../", "certificate-7"],
    ["日本", "日本-7"],
    ["\u202egpj.exe\u0000", "gpj.exe-7"],
  ])("gives the file name of %s", (commonName, expected) => {
    expect(fileNameOf({ commonName, id: 7 })).toBe(expected);
  });

  test.each([
    ["oftp2.example-7.cer", 'attachment; filename="oftp2.example-7.cer"'],
    [
      "Łódź-Пример-7.cer",
      `attachment; filename="Lodz-Primer-7.cer"; filename*=UTF-8''%C5%81%C3%B3d%C5%BA-%D0%9F%D1%80%D0%B8%D0%BC%D0%B5%D1%80-7.cer`,
    ],
    ["Köln-7.csr", `attachment; filename="Koln-7.csr"; filename*=UTF-8''K%C3%B6ln-7.csr`],
  ])("the answer has the name %s in ASCII and in full", (fileName, expected) => {
    expect(contentDisposition(fileName)).toBe(expected);
  });
});
