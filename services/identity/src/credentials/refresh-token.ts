import { rotatingToken } from './rotating-token.ts';

export const { tokenOf: refreshTokenOf, read: readRefreshToken } = rotatingToken('refresh-token');
