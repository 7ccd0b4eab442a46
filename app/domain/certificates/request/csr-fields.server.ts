/**
 * The CSR of a form with a text box (`csr`) and a file (`csrFile`), as they were sent; `file` is null when none was chosen, and
 * empty when an empty one was. A browser sends a file without a name for none.
 */
export async function csrFields(form: FormData): Promise<{ csr: string; file: Uint8Array | null }> {
  const [text, upload] = [form.get("csr"), form.get("csrFile")];
  const isChosen = upload instanceof File && (upload.size > 0 || upload.name !== "");
  return {
    csr: typeof text === "string" ? text : "",
    file: isChosen ? new Uint8Array(await upload.arrayBuffer()) : null,
  };
}
