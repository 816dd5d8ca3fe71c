# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/whatif/forecast.c \
	viz/whatif/forecast_json.c \
	viz/whatif/forecast_print.c \
	viz/whatif/forecast_words.c \
	viz/whatif/posts.c \
	viz/whatif/posts_json.c \
	viz/whatif/posts_print.c \
	viz/whatif/verify.c \
	viz/whatif/whatif_view.c
