/** Where a box has the PEM of the host's authorities and the session's. */
export const trustBundlePath = '/run/holdfast/trust/bundle.pem';
