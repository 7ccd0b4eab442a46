import { TextField } from "../forms/text-field";

export const CODE_LABEL = "Code";

/** The field for a code of an authenticator app or a recovery code. Paste and the browser's own suggestions work. */
export const FactorCodeField = ({ isNew = false }: { isNew?: boolean }) => (
  <TextField
    name="code"
    label={CODE_LABEL}
    hint={
      isNew
        ? "The six digits that the app shows now."
        : "The six digits that your authenticator app shows now, or one of your recovery codes."
    }
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    maxLength={40}
    mono
  />
);
