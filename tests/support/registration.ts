let count = 0;

/** Returns the fields of a complete registration with a new email. `change` replaces fields. */
export function filledRegistration(change: Record<string, string> = {}) {
  const email = `new-${(count += 1)}@example-parts.com`;
  return {
    firstName: "Jürgen",
    lastName: "O'Neill",
    company: "Example Parts Ltd",
    position: "EDI manager",
    telephoneNumber: "+49 (221) 123456",
    email,
    confirmEmail: email,
    password: "correct horse battery",
    confirmPassword: "correct horse battery",
    securityQuestion: "What was the name of your first pet?",
    securityAnswer: "Bello",
    ...change,
  };
}
