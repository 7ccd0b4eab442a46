import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs a program of poppler-utils on a PDF. Returns its output. */
export function poppler(program: "pdftotext" | "pdfinfo" | "pdffonts", pdf: Uint8Array, args: string[] = []): string {
  const dir = mkdtempSync(join(tmpdir(), "marque-pdf-"));
  try {
    const path = join(dir, "file.pdf");
    writeFileSync(path, pdf);
    const output = program === "pdftotext" ? ["-"] : [];
    return execFileSync(program, [...args, path, ...output], { encoding: "utf8" });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Returns the only file that is embedded in a PDF. */
export function embeddedFile(pdf: Uint8Array): Buffer {
  const dir = mkdtempSync(join(tmpdir(), "marque-pdf-"));
  try {
    const [document, embedded] = [join(dir, "file.pdf"), join(dir, "embedded")];
    writeFileSync(document, pdf);
    execFileSync("pdfdetach", ["-save", "1", "-o", embedded, document]);
    return readFileSync(embedded);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Returns the text of a PDF in reading order, on one line. */
export const pdfText = (pdf: Uint8Array): string => poppler("pdftotext", pdf).replace(/\s+/g, " ");
