/** The values that a confirmed form sends again. An array holds several values of one name. */
export type FieldsToSend = Record<string, string | readonly string[]>;

/** The hidden fields of a confirmed form, including `confirmed=yes`. */
export const ConfirmedFields = ({ fields }: { fields: FieldsToSend }) => (
  <>
    <input type="hidden" name="confirmed" value="yes" />
    {Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
    )}
  </>
);
