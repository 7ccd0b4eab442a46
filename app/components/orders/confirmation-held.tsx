/** Shown when an order is stored but its confirmation waits until the customer has confirmed the email address. */
export const ConfirmationHeld = ({ user }: { user: string }) => (
  <p>
    Thank you for your purchase. Your order is stored. The confirmation is sent to {user} as soon as you have confirmed
    that email address.
  </p>
);
