/**
 * Returns the CSR of a form with a text box (`csr`) and a file field (`csrFile`), unchanged. `file` is null when no file was chosen, and
 * empty when an empty file was chosen. A browser sends an empty file without a name when none was chosen.
 */
export async function csrFields(form: FormData): Promise<{ csr: string; file: Uint8Array | null }> {
  const [text, upload] = [form.get("csr"), form.get("csrFile")];
  const isChosen = upload instanceof File && (upload.size > 0 || upload.name !== "");
  return {
    csr: typeof text === "string" ? text : "",
    file: isChosen ? new Uint8Array(await upload.arrayBuffer()) : null,
  };
}
